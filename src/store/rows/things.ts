import { bySchema } from '../../model/declaration/by-schema.ts'
import { valueIn } from '../../model/declaration/operation.ts'
import type { Thing } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { dialledDigits, digitsName } from '../../values/digits.ts'
import { fold, isBeyondAscii } from '../../values/fold.ts'
import { isOwn, OWN, ownField, ownMembers, ownText, ownValues } from '../../values/json/own.ts'
import { type Kind, nullable } from '../../values/kinds/kind.ts'
import { text } from '../../values/kinds/text.ts'
import type { Stored, StoredEvent } from '../port/desk.ts'
import { columnName } from '../sql/column-name.ts'
import { shownDocument } from './shown-document.ts'

/** The columns of a thing's members, in the order in which it is written; `doc` and `previous_at` are additional. */
export const thingColumns = (resource: Resource): readonly string[] =>
  resource.columns.map((name) => columnOfField(resource, name))

/** The texts of a thing that SQL cannot fold and the digits of phone numbers, as a JSON object; null if there are none. */
export const FOLDED = 'folded'

/** The written columns of a thing: its fields, its document and its folded texts. */
export const writtenColumns = (resource: Resource): readonly string[] => [...thingColumns(resource), 'doc', FOLDED]

export const thingValues = (resource: Resource, thing: Thing, json: string): readonly unknown[] => [
  ...resource.columns.map((name) => columnValue(columnIn(resource, thing, name))),
  json,
  foldedTexts(resource, thing),
]

/** The value of a column: of a field, or of all added fields. */
export const columnIn = (resource: Resource, thing: Thing, name: string): unknown =>
  name !== OWN ? valueIn(thing, name) : resource.extended ? ownText(thing) : null

/** The members of a thing that are in the column `own`: null for the fields of the schema that are not set. */
export function membersInOwn(resource: Resource, text: unknown): object {
  const unset = unsetMembers(resource)
  return typeof text === 'string' ? { ...unset, ...ownMembers(text) } : unset
}

const unsetMembers = bySchema(({ added }: Resource): object =>
  Object.fromEntries(added.map(({ name }) => [name, null])),
)

/** A thing, or some of its members, from the values of columns. */
export function thingOf(resource: Resource, columns: readonly string[], values: readonly unknown[]): Thing {
  const thing: Record<string, unknown> = {}
  columns.forEach((name, at) => {
    if (name === OWN) Object.assign(thing, membersInOwn(resource, values[at]))
    else thing[name] = resource.structures.includes(name) ? partsIn(values[at]) : values[at]
  })
  return thing as unknown as Thing
}

const partsIn = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)

/** A value with parts is stored as JSON. */
export const columnValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

/**
 * The texts of added fields are folded whether the model has the field or not. All of them together are one text for
 * the index of grams.
 */
export function foldedTexts({ texts, dialled = [] }: Resource, thing: Thing): string | null {
  let folded: Record<string, string> | undefined
  for (const name of texts) {
    const value = valueIn(thing, name)
    if (typeof value !== 'string' || !isBeyondAscii(value)) continue
    folded ??= {}
    folded[name] = fold(value)
  }
  const own = Object.entries(ownValues(thing)).filter((each): each is [string, string] => typeof each[1] === 'string')
  for (const [name, value] of own) {
    folded ??= {}
    if (isBeyondAscii(value)) folded[ownField(name)] = fold(value)
    const digits = dialled.includes(ownField(name)) ? dialledDigits(value) : undefined
    if (digits !== undefined) folded[digitsName(ownField(name))] = digits
    folded[OWN] = [folded[OWN], fold(value), digits].filter((each) => each !== undefined).join(END)
  }
  for (const name of dialled.filter((each) => !isOwn(each))) {
    const value = valueIn(thing, name)
    const digits = typeof value === 'string' ? dialledDigits(value) : undefined
    if (digits === undefined) continue
    folded ??= {}
    folded[digitsName(name)] = digits
  }
  return folded === undefined ? null : JSON.stringify(folded)
}

/** Whether a text has a part in the folded ones. */
export function folds(resource: Resource, thing: Thing, name: string): boolean {
  const { dialled = [] } = resource
  const value = columnIn(resource, thing, name)
  return typeof value === 'string' && (name === OWN || dialled.includes(name) || isBeyondAscii(value))
}

/** Follows each text of an index of grams twice, so that its last characters begin grams too. No text contains it. */
export const END = '\u0001\u0001'

/**
 * When the state before began: kept only if a date in seconds cannot tell it from the next state, else empty. A row that
 * grows at its first change moves its neighbours to other pages.
 */
export const keptPrevious = ({ updatedAt: before }: Thing, { updatedAt: after }: Thing): string =>
  before.slice(0, SECONDS) === after.slice(0, SECONDS) ? before : ''

/** The length of an instant up to its seconds. */
const SECONDS = 19

/** In place of a number that was not assigned. */
export const NO_NUMBER = 0

/** Whether ids are sequential numbers. */
export const isNumbered = ({ kinds }: Resource): boolean => kindIn(kinds, 'id').name === 'integer'

export const columnOfField = ({ kinds }: Resource, field: string): string =>
  field === OWN ? OWN : columnName(field, kindIn(kinds, field))

/** The kind of a member of a thing. The values of added fields are one text. */
export const storedKind = ({ kinds }: Resource, name: string): Kind<unknown> =>
  name === OWN ? OWN_KIND : kindIn(kinds, name)

const OWN_KIND = nullable(text({ min: 1, max: 1_000_000 }))

export function kindIn(kinds: Resource['kinds'], name: string): Kind<unknown> {
  const kind = kinds[name]
  if (kind === undefined) throw new Error(`there is no field ${name}`)
  return kind
}

/** The columns of a point read: the values for an answer's headers and links, and the document. */
export const pointColumns = (resource: Resource): readonly string[] => [
  ...['revision', 'updated_at', 'previous_at', 'doc'],
  ...resource.markings.map((name) => columnOfField(resource, name)),
]

/**
 * Builds a stored thing from the values of a point read. Compiled, because every read pays for it: an object literal of
 * a fixed shape costs a third of an assembled one.
 */
export function pointReader(resource: Resource, read: (kind: Kind<unknown>, code: string) => string) {
  const markings = resource.markings.map(
    (name, at) => `${JSON.stringify(name)}: ${read(kindIn(resource.kinds, name), `row[${at + 4}]`)}`,
  )
  const members = [
    'id',
    'revision: row[0]',
    'updatedAt: row[1]',
    'previousAt: row[2]',
    'json: show(row[3])',
    ...markings,
  ]
  const compile = new Function('show', `return (id, row) => ({ ${members.join(', ')} })`)
  return compile(shownDocument(resource)) as (id: Stored['id'], row: readonly unknown[]) => Stored
}

/** The result of a write, in the form of a read. Compiled as well. */
export const storedThing = (resource: Resource, thing: Thing, json: string): Stored => writerOf(resource)(thing, json)

const writerOf = bySchema((resource: Resource) => {
  const members = storedNames(resource).map((name) => {
    const text = JSON.stringify(name)
    return `${text}: thing[${text}]`
  })
  const compile = new Function('show', `return (thing, json) => ({ ${members.join(', ')}, json: show(json) })`)
  return compile(shownDocument(resource)) as (thing: Thing, json: string) => Stored
})

/** The fields that a stored thing has in addition to its document. */
export const storedNames = bySchema(({ markings }: Resource): readonly string[] => [
  ...new Set(['id', 'revision', 'updatedAt', ...markings]),
])

/** The thing as an event left it. */
export function storedAfter(
  resource: Resource,
  id: Stored['id'],
  event: Pick<StoredEvent, 'doc' | 'revision' | 'at'>,
): Stored {
  const { doc, revision, at } = event
  return storedThing(resource, { ...(JSON.parse(doc) as Thing), id, revision, updatedAt: at }, doc)
}

/** Only the id of a removed thing stays. */
export const removedJson = ({ id }: Thing): string => JSON.stringify({ id })
