import { bySchema } from '../../model/by-schema.ts'
import { valueIn } from '../../model/operation.ts'
import type { Thing } from '../../model/resource.ts'
import type { Resource } from '../../model/schema.ts'
import { dialledDigits, digitsName } from '../../values/digits.ts'
import { fold, isBeyondAscii } from '../../values/fold.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import type { Stored, StoredEvent } from '../port/desk.ts'
import { columnName } from '../sql/column-name.ts'

/** Every field is a column, in the order in which a thing is written; `doc` and `previous_at` are additional. */
export const thingColumns = ({ names, kinds }: Resource): readonly string[] =>
  names.map((name) => columnName(name, kindIn(kinds, name)))

/** The texts of a thing that SQL cannot fold and the digits of phone numbers, as a JSON object; null if there are none. */
export const FOLDED = 'folded'

/** The written columns of a thing: its fields, its document and its folded texts. */
export const writtenColumns = (resource: Resource): readonly string[] => [...thingColumns(resource), 'doc', FOLDED]

export const thingValues = (resource: Resource, thing: Thing, json: string): readonly unknown[] => [
  ...resource.names.map((name) => columnValue(valueIn(thing, name))),
  json,
  foldedTexts(resource, thing),
]

/** A value with parts is stored as JSON. */
export const columnValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

export function foldedTexts({ texts, dialled = [] }: Resource, thing: Thing): string | null {
  let folded: Record<string, string> | undefined
  for (const name of texts) {
    const value = valueIn(thing, name)
    if (typeof value !== 'string' || !isBeyondAscii(value)) continue
    folded ??= {}
    folded[name] = fold(value)
  }
  for (const name of dialled) {
    const value = valueIn(thing, name)
    const digits = typeof value === 'string' ? dialledDigits(value) : undefined
    if (digits === undefined) continue
    folded ??= {}
    folded[digitsName(name)] = digits
  }
  return folded === undefined ? null : JSON.stringify(folded)
}

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

export const columnOfField = ({ kinds }: Resource, field: string): string => columnName(field, kindIn(kinds, field))

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
  const members = ['id', 'revision: row[0]', 'updatedAt: row[1]', 'previousAt: row[2]', 'json: row[3]', ...markings]
  return new Function('id', 'row', `return { ${members.join(', ')} }`) as (
    id: Stored['id'],
    row: readonly unknown[],
  ) => Stored
}

/** The result of a write, in the form of a read. Compiled as well. */
export const storedThing = (resource: Resource, thing: Thing, json: string): Stored => writerOf(resource)(thing, json)

const writerOf = bySchema((resource: Resource) => {
  const members = storedNames(resource).map((name) => {
    const text = JSON.stringify(name)
    return `${text}: thing[${text}]`
  })
  return new Function('thing', 'json', `return { ${members.join(', ')}, json }`) as (
    thing: Thing,
    json: string,
  ) => Stored
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
