import type { Cell } from '../../imports/cells/cell.ts'
import type { GivenValues, RowLayout } from '../../imports/columns/layout.ts'
import { rowReader } from '../../imports/columns/row-reader.ts'
import { isThingName } from '../../imports/columns/thing-name.ts'
import type { Matching } from '../../imports/read/matching.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { type Person, personNamed } from '../../model/nouns/user/person.ts'
import { fieldTitle } from '../../representations/html/field-title.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { table } from '../parts/table.ts'
import { valueText } from '../parts/value-text.ts'
import { faultsMarkup } from '../problem/why.ts'

/** The first rows of a file as they will be, or why they cannot be read. */
export type PreviewRow = { readonly thing: GivenValues } | { readonly faults: readonly Fault[] }

/** Reads the first rows as an import will, without looking anything up. */
export function previewRows(
  rows: readonly (readonly Cell[])[],
  resource: Resource,
  layout: RowLayout,
  { columns, badCells, values, defaults }: Matching,
  people: readonly Person[],
): readonly PreviewRow[] {
  const reader = rowReader({ ...layout, oneOf: [] }, { empties: badCells === 'empty', values, defaults }).fromCells(
    columns,
  )
  if ('fault' in reader) return []
  return rows.map((cells) => {
    const read = reader.read(cells)
    if ('faults' in read) return read
    const { moneyIn } = resource
    const usual = moneyIn === undefined ? {} : { [moneyIn]: layout.currency?.initial }
    return { thing: shownThing({ ...usual, ...read.besides, ...read.values }, resource, people) }
  })
}

/** The values as documents have them, with the names of things in place of their ids. */
function shownThing(values: GivenValues, { kinds }: Resource, people: readonly Person[]): GivenValues {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const kind = kinds[field]
      if (isThingName(value)) return [field, value.thingName]
      if (kind?.namesUser && typeof value === 'string') {
        const found = personNamed(people, value, { byWords: true })
        return [field, 'name' in found ? found.name : value]
      }
      return [field, value === null || value === undefined ? null : (kind?.write(value) ?? null)]
    }),
  )
}

/** A table of the first rows: a person sees at once whether the columns are right. */
export function previewTable(
  rows: readonly PreviewRow[],
  resource: Resource,
  inFile: ReadonlyMap<string, string>,
): Markup | undefined {
  const things = rows.flatMap((row) => ('thing' in row ? [row.thing] : []))
  if (things.length === 0) return undefined
  const { kinds, names, moneyIn } = resource
  const shown = names.filter(
    (field) => field !== moneyIn && things.some(({ [field]: value }) => (value ?? null) !== null && value !== ''),
  )
  const wrong = rows.flatMap((row) => ('faults' in row ? [row.faults] : []))
  // A fault of several of them is said once.
  const reasons = new Map(wrong.map((faults) => [JSON.stringify(faults), faults])).values()
  const refused = [...reasons].map((faults) => html`<li>${faultsMarkup(faults, kinds, inFile)}</li>\n`)
  return html`${table({
    id: 'preview-title',
    caption: say('The first rows, as they will be'),
    columns: shown.map((field) => ({
      head: fieldTitle(field.replace(/Id$/, ''), kinds[field]),
      cell: (thing: GivenValues) => shownValue(resource, field, thing),
    })),
    rows: things,
  })}${refused.length > 0 && html`<p>${say('Not read among them:')}</p>\n<ul>${refused}</ul>\n`}`
}

function shownValue(resource: Resource, field: string, thing: GivenValues): Hole {
  const value = thing[field]
  // The name of another thing stands where its id will be.
  if (resource.kinds[field]?.refersTo !== undefined && typeof value === 'string')
    return html`<span lang="">${value}</span>`
  return valueText(resource, field, thing as never)
}
