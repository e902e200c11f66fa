import type { AskedOperation } from '../../../model/perform/asked.ts'
import { creationOf } from '../../../model/resources.ts'
import type { Resource } from '../../../model/schema.ts'
import { isObject } from '../../../values/members.ts'
import type { DoorAnswer } from '../../door.ts'
import { refused } from '../errors.ts'
import type { Preferences } from '../preferences.ts'

type InsertedRow = { readonly [column: string]: unknown }

/** The creations in a body: one row, or a list of them. */
export function insertedRows(
  resource: Resource,
  body: unknown,
  columns: readonly string[] | undefined,
  { missingDefault }: Preferences,
): { readonly changes: readonly AskedOperation[]; readonly isList: boolean } | { readonly answer: DoorAnswer } {
  const isList = Array.isArray(body)
  const rows: readonly unknown[] = isList ? body : [body]
  if (!rows.every(isObject)) return invalid('The body must be a row, or a list of rows, as JSON objects')
  const [first] = rows
  if (columns === undefined && first !== undefined && !rows.every((row) => hasSameKeys(row, first))) {
    return invalid('All object keys must match', 'Name the columns in the parameter columns.')
  }
  const creation = creationOf(resource)
  const changes = rows.map((row): AskedOperation => {
    const sent = Object.entries(columns === undefined ? row : chosen(row, columns, missingDefault))
    const isFurther = (name: string): boolean => !Object.hasOwn(creation.params, name) && resource.names.includes(name)
    const further = sent.filter(([name]) => isFurther(name))
    return {
      action: creation.words.action,
      params: Object.fromEntries(sent.filter(([name]) => !isFurther(name))),
      ...(further.length > 0 && { afterwards: { attributes: Object.fromEntries(further) } }),
    }
  })
  return { changes, isList }
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

const invalid = (message: string, hint: string | null = null): { readonly answer: DoorAnswer } => ({
  answer: refused({ status: 400, code: 'PGRST102', message, hint }),
})
