import { say } from '../../languages/say.ts'
import { type Text, wordsFor } from '../../languages/text.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { collectionOf } from '../../queries/collections.ts'
import { isSortable } from '../../queries/sort.ts'
import { fieldTitle } from '../../representations/html/field-title.ts'
import { escapeHtml } from '../../representations/markup/markup.ts'
import type { Head } from '../filters/sorting.ts'
import { agoMarkup, dateMarkup, instantMarkup } from '../parts/moment.ts'
import { decimal } from '../parts/money.ts'
import { hasPage, nameField } from '../parts/names.ts'
import { isDealOwner, personCell } from '../parts/person.ts'
import type { Amount } from '../parts/shown.ts'
import { contactCell, isOnlyChoice, valueText } from '../parts/value-text.ts'
import type { ListScreen, WriteCell } from './list-screen.ts'

/** A column of the table of a list. */
export interface ListColumn {
  readonly field: string
  readonly head: Head
  readonly isNumber: boolean
  readonly write: WriteCell
}

/** The fields that can be columns, without the one with the link to the thing, which is always there. */
export const columnNames = bySchema((resource: Resource): readonly string[] =>
  resource.names.filter((field) => field !== nameField(resource) && !isUntold(resource, field)),
)

/** Nobody knows a thing by its UUID. */
function isUntold({ kinds }: Resource, field: string): boolean {
  const kind = kinds[field]
  return kind !== undefined && ((field === 'id' && kind.name === 'uuid') || isOnlyChoice(kind))
}

/** The default columns. */
export const usualColumns = (resource: Resource, { columns }: ListScreen): readonly string[] =>
  columns ?? shortFields(resource)

const shortFields = bySchema((resource: Resource): readonly string[] =>
  columnNames(resource).filter((field) => resource.fields[field]?.by === 'client' && !isLong(resource, field)),
)

const isLong = ({ kinds }: Resource, field: string): boolean => Number(kinds[field]?.schema.maxLength ?? 0) > LONGEST
const LONGEST = 500

/** The columns of some fields; for `undefined` the usual ones without some, of which narrow screens show a few. */
export function listColumns(
  resource: Resource,
  screen: ListScreen,
  fields: readonly string[] | undefined,
  without: readonly string[] = [],
): readonly ListColumn[] {
  const usual = usualColumns(resource, screen)
  const { narrow = usual.slice(0, 2) } = screen
  const known = columnNames(resource)
  return (fields ?? usual.filter((field) => !without.includes(field)))
    .filter((field) => known.includes(field))
    .map((field) => listColumn(resource, screen, field, fields === undefined && !narrow.includes(field)))
}

function listColumn(resource: Resource, screen: ListScreen, field: string, isWide: boolean): ListColumn {
  const kind = resource.kinds[field]
  const isReference = kind?.refersTo !== undefined
  const isNumber = (kind?.name === 'amount' || kind?.name === 'integer') && !isReference
  const shape = isNumber ? (isWide ? 'number wide' : 'number') : isWide ? 'wide' : undefined
  return {
    field,
    head: {
      text: columnText(resource, screen, field),
      ...(!isReference && isSortable(collectionOf(resource), field) && { field }),
      ...(shape && { kind: shape }),
      ...operationThatSets(resource, field),
    },
    isNumber,
    write: screen.cells?.[field] ?? plainCell(resource, field),
  }
}

/** The name of a column. */
export const columnText = (resource: Resource, { heads }: ListScreen, field: string): Text =>
  heads?.[field] ?? fieldText(resource, field)

/** The name of a field of a thing. */
export function fieldText({ kinds }: Resource, field: string): Text {
  if (field === 'createdAt') return say('Created')
  if (field === 'updatedAt') return say('Changed')
  if (field === 'id') return say('Number|serial')
  const kind = kinds[field]
  return fieldTitle(kind?.refersTo === undefined ? field : field.replace(/Id$/, ''), kind)
}

export const nameHead = (resource: Resource, screen: ListScreen): Head => {
  const field = nameField(resource)
  return { text: columnText(resource, screen, field), field, ...operationThatSets(resource, field) }
}

/** The operation that pages offer in the cells of a field. */
function operationThatSets({ operations }: Resource, field: string): Pick<Head, 'operation'> {
  const operation = operations.find(
    ({ sets = {}, marks }) => marks === undefined && Object.values(sets).includes(field),
  )
  return operation === undefined ? {} : { operation: operation.name }
}

/** A value in the format of its kind. */
function plainCell(resource: Resource, field: string): WriteCell {
  const kind = resource.kinds[field]
  const { moneyIn } = resource
  if (kind?.refersTo !== undefined)
    return referenceCell(resourceNamed(resource.schema, kind.refersTo), field, kind.isLink)
  if (kind?.namesUser)
    return (thing, row) => {
      const { [field]: user } = thing
      return typeof user === 'string' ? personCell(user, row, isDealOwner(resource, field, thing)) : ''
    }
  if (field === 'createdAt' || field === 'updatedAt')
    return ({ [field]: at }, { time, reader }) => agoMarkup(at, time).for(reader)
  if (kind?.name === 'amount' && kind.decimals === undefined && moneyIn !== undefined)
    return ({ [field]: amount, [moneyIn]: currency }, { reader }) =>
      (amount ?? null) === null
        ? ''
        : `${decimal(amount as Amount, String(currency))(reader)} <small>${escapeHtml(String(currency))}</small>`
  if (kind?.name === 'date')
    return ({ [field]: date }, { reader }) => (typeof date === 'string' ? dateMarkup(date).for(reader) : '')
  if (kind?.name === 'instant')
    return ({ [field]: at }, { reader }) => (typeof at === 'string' ? instantMarkup(at).for(reader) : '')
  if (kind?.contact !== undefined)
    return ({ [field]: text }) => (typeof text === 'string' ? ifLong(text, contactCell(kind, text)) : '')
  return (thing, { reader }) => {
    const text = wordsFor(valueText(resource, field, thing), reader)
    return ifLong(text, escapeHtml(text))
  }
}

/** A long text has room for some words in a line, and a few lines. */
const ifLong = (text: string, cell: string): string =>
  text.length > LONGEST_LINE ? `<div class="long">${cell}</div>` : cell
const LONGEST_LINE = 50

const referenceCell =
  (to: Resource, field: string, isLink: boolean | undefined): WriteCell =>
  ({ [field]: id }, { names, addresses }) => {
    if ((id ?? null) === null) return ''
    const name = names.get(to.name)?.get(id as Key)
    const text = name ?? `#${id}`
    return hasPage(to, name, isLink) ? link(addresses.thing(to, id as Key), text) : escapeHtml(text)
  }

export const link = (address: string, text: string): string =>
  `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`
