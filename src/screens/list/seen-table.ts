import type { Call, SeenTable } from '../../http/contract/endpoint.ts'
import { numericDateText, plainDecimalText, separatorFor } from '../../languages/formats.ts'
import type { Reader } from '../../languages/reader.ts'
import { say } from '../../languages/say.ts'
import { wordsFor } from '../../languages/text.ts'
import { clockText } from '../../languages/zones.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import { type DataObject, isDataObject, readDocument } from '../../representations/read-document.ts'
import { flattened } from '../../values/json/own.ts'
import { BETWEEN } from '../../values/kinds/choices.ts'
import type { Kind, KindName } from '../../values/kinds/kind.ts'
import { decimalsOf } from '../../values/kinds/money.ts'
import { readUnfilled } from '../filters/filled-fields.ts'
import { amountText } from '../parts/money.ts'
import { type Names, nameField, readNames } from '../parts/names.ts'
import type { Amount, SeenThing } from '../parts/shown.ts'
import { decimalWords, valueText } from '../parts/value-text.ts'
import { addedFileColumns } from './added-columns.ts'
import { columnNames, columnText, usualColumns } from './columns.ts'
import type { ListScreen } from './list-screen.ts'

/**
 * A list for a spreadsheet, as its page has it: the reader's headings, labels, names, dates and decimals. Amounts stay
 * numbers, so their currency is a column of its own. A workbook has types for numbers and days; in CSV all cells are
 * texts. decisions/0037
 */
export async function seenTable(
  resource: Resource,
  screen: ListScreen,
  fields: readonly string[] | undefined,
  call: Call,
): Promise<SeenTable> {
  const { reader, desk, service } = call
  const isTyped = call.representation === 'xlsx'
  await service.roster.look()
  const people = new Map(service.roster.people.map(({ name, fullName }) => [name, fullName ?? name]))
  const isUsual = fields === undefined
  const unfilled = isUsual ? await readUnfilled(resource, screen.ifFilled ?? [], desk) : []
  const shown = columnsOf(resource, screen, fields).filter((field) => !unfilled.includes(field))
  const cells = shown.map((field) => ({ field, write: cellOf(resource, field, reader, isTyped, people) }))
  const clock = (at: string): string => instantOf(at, reader, isTyped)
  const added = isUsual ? await addedFileColumns(screen, call, isTyped, clock) : []
  const columns = shown.flatMap((field) => [
    { name: field, head: wordsFor(field === 'id' ? idTitle : columnText(resource, screen, field), reader) },
    ...added.filter(({ after }) => after === field),
  ])
  const items = collectionOf(resource)
  return {
    columns: columns.map(({ name }) => name),
    items: { ...items, fields: new Map([...items.fields, ...added.map(({ name, field }) => [name, field] as const)]) },
    heads: columns.map(({ head }) => head),
    separator: separatorFor(reader),
    async rows(texts) {
      const things = texts
        .map(readDocument)
        .filter(isDataObject)
        .map((thing) => flattened(thing))
      const seen = things as unknown as readonly SeenThing[]
      const [names, ...more] = await Promise.all([
        readNames(resource, things, desk),
        ...added.map(({ read }) => read(seen)),
      ])
      return things.map((thing, at) => {
        const own = cells.map(({ field, write }) => [field, write(thing, names)])
        const others = more.map((membersOf) => membersOf(seen[at] as SeenThing))
        return JSON.stringify(Object.assign(Object.fromEntries(own), ...others))
      })
    },
  }
}

/** Files that are imported again are known by it. */
const idTitle = say('Dealdesk ID')

/** The id, by which an import knows the things, and the columns of the page; the currency follows the first amount. */
function columnsOf(resource: Resource, screen: ListScreen, fields: readonly string[] | undefined): readonly string[] {
  const { kinds, moneyIn } = resource
  const known = columnNames(resource)
  const shown = (fields ?? usualColumns(resource, screen)).filter((field) => known.includes(field))
  const others = shown.filter((field) => field !== 'id' && (field !== moneyIn || fields?.includes(field)))
  const all = ['id', nameField(resource), ...others]
  const amount = all.findIndex((field) => kinds[field]?.name === 'amount' && kinds[field]?.decimals === undefined)
  return moneyIn === undefined || amount === -1 || all.includes(moneyIn) ? all : all.toSpliced(amount + 1, 0, moneyIn)
}

type SeenCell = (thing: DataObject, names: Names) => unknown

function cellOf(
  resource: Resource,
  field: string,
  reader: Reader,
  isTyped: boolean,
  people: ReadonlyMap<string, string>,
): SeenCell {
  const kind = resource.kinds[field]
  const { moneyIn = '' } = resource
  if (kind?.refersTo !== undefined) {
    const to = kind.refersTo
    return ({ [field]: id }, names) => (id === null ? null : (names.get(to)?.get(id as Key) ?? `#${id}`))
  }
  if (kind?.namesUser) return ({ [field]: user }) => (typeof user === 'string' ? (people.get(user) ?? user) : null)
  const write = kind && seenValues[kind.name]
  if (kind === undefined || write === 'in words')
    return (thing) => wordsFor(valueText(resource, field, thing, BETWEEN), reader) || null
  return (thing) => {
    const { [field]: value = null, [moneyIn]: currency } = thing
    return value === null || write === 'as it is' ? value : write?.(value, kind, { reader, isTyped, currency })
  }
}

type SeeValue = (value: unknown, kind: Kind<unknown>, context: SeenContext) => unknown

interface SeenContext {
  readonly reader: Reader
  readonly isTyped: boolean
  readonly currency: unknown
}

/** The values of each kind as the cells of a file for people have them. */
const seenValues: Readonly<Record<KindName, SeeValue | 'as it is' | 'in words'>> = {
  text: 'in words',
  choice: 'in words',
  choices: 'in words',
  boolean: 'in words',
  uuid: 'in words',
  json: 'in words',
  integer: 'as it is',
  amount(value, { decimals }, { reader, isTyped, currency }) {
    if (isTyped) return value
    if (decimals !== undefined) return decimalWords(String(value))(reader)
    return plainDecimalText(amountText(value as Amount), decimalsOf(String(currency)))(reader)
  },
  date: (value, _kind, { reader, isTyped }) => (isTyped ? value : numericDateText(String(value))(reader)),
  instant: (value, _kind, { reader, isTyped }) => instantOf(String(value), reader, isTyped),
}

/** An instant by the reader's clock. */
function instantOf(at: string, reader: Reader, isTyped: boolean): string {
  const clock = clockText(at, reader.timeZone)
  if (isTyped) return `${clock.slice(0, 19)}.000Z`
  // An import must find the time as it was: seconds are left out only where there are none.
  const time = clock.slice(11, clock.slice(17, 19) === '00' ? 16 : 19)
  return `${numericDateText(clock.slice(0, 10))(reader)} ${time}`
}
