import { type RefusedCall, wrongMember } from '../../../http/contract/problems/problem.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { creationOf } from '../../../model/schema/resources.ts'
import type { AskedOperation } from '../../../model/source/asked.ts'
import { reason } from '../../../values/faults/fault.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { pointerTo } from '../../../values/json/pointer.ts'
import { groupsOf } from '../../../values/members.ts'
import type { DoorResult } from '../../door.ts'
import { misplacedWord } from '../../kit/around.ts'
import { refused } from '../errors.ts'
import type { Preferences } from '../preferences.ts'

type InsertedRow = { readonly [column: string]: unknown }

/** The creation of a thing, the attributes of the same row, and the row as it was sent. */
export interface InsertedThing {
  readonly change: AskedOperation
  readonly attributes: InsertedRow
  readonly sent: InsertedRow
}

/** The creations in a body: one row, or a list of them. */
export function insertedRows(
  resource: Resource,
  body: unknown,
  columns: readonly string[] | undefined,
  { missingDefault }: Preferences,
): { readonly creations: readonly InsertedThing[]; readonly isList: boolean } | { readonly refused: DoorResult } {
  const isList = Array.isArray(body)
  const rows: readonly unknown[] = isList ? body : [body]
  if (!rows.every(isObject)) return invalid('The body must be a row, or a list of rows, as JSON objects')
  const [first] = rows
  if (columns === undefined && first !== undefined && !rows.every((row) => hasSameKeys(row, first))) {
    return invalid('All object keys must match', 'Name the columns in the parameter columns.')
  }
  const misplaced = rows
    .map((row, at) => leftOutWord(row, columns, isList ? `/${at}` : ''))
    .find((each) => each !== undefined)
  if (misplaced !== undefined) return { refused: misplaced }
  const creation = creationOf(resource)
  const groups = groupsOf(resource.names)
  const creations = rows.map((row): InsertedThing => {
    const sent = columns === undefined ? row : chosen(row, columns, missingDefault)
    const values = Object.entries(sent).filter(
      // The group of added fields is one column: null in it means that none is set.
      ([name, value]) => value !== null || !groups.has(name),
    )
    const isFurther = (name: string): boolean => !Object.hasOwn(creation.params, name) && resource.names.includes(name)
    const further = values.filter(([name]) => isFurther(name))
    const change = {
      action: creation.words.action,
      params: Object.fromEntries(values.filter(([name]) => !isFurther(name))),
      ...(further.length > 0 && { afterwards: { attributes: Object.fromEntries(further) } }),
    }
    return { change, attributes: Object.fromEntries(values), sent }
  })
  return { creations, isList }
}

/**
 * The refusal of one of our options among the members that `columns` leaves out: PostgREST ignores those, but this one is
 * a guard. decisions/0040
 */
export function leftOutWord(row: InsertedRow, columns: readonly string[] = [], at = ''): RefusedCall | undefined {
  const word = misplacedWord(row)
  if (columns.length === 0 || word === undefined || columns.includes(word)) return undefined
  return { problem: wrongMember(at + pointerTo(word), reason('unknown')) }
}

const hasSameKeys = (row: InsertedRow, other: InsertedRow): boolean => {
  const names = Object.keys(row)
  return names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name))
}

/** An absent column is null, unless its default is preferred. */
const chosen = (row: InsertedRow, columns: readonly string[], missingDefault: boolean): InsertedRow =>
  Object.fromEntries(
    columns
      .filter((name) => !missingDefault || Object.hasOwn(row, name))
      .map((name) => [name, Object.hasOwn(row, name) ? row[name] : null]),
  )

const invalid = (message: string, hint: string | null = null): { readonly refused: DoorResult } => ({
  refused: refused({ status: 400, code: 'PGRST102', message, hint }),
})
