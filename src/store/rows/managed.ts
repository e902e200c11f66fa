import type { DocumentFields, Fields, ThingOf } from '../../model/field.ts'
import type { ManagedThing } from '../../model/managed/managed-thing.ts'
import { valueIn } from '../../model/operation.ts'
import { isNumeric, type Kind } from '../../values/kinds/kind.ts'
import { columnName } from '../sql/column-name.ts'
import type { Row, Values } from '../sql/statement.ts'

/** The rows of managed things: a column for each field, in order, and the document last. */
export interface ManagedRows<T> {
  readonly columns: readonly string[]
  values(thing: T): Values
  read(row: Row): T
}

/** `named` has the columns whose names differ from their fields. */
export function managedRows<F extends Fields>(
  { fields, toDoc }: ManagedThing<string, F>,
  named: { readonly [field: string]: string } = {},
): ManagedRows<ThingOf<F>> {
  const kinds = Object.entries(fields).map(([name, { kind }]) => ({
    ...{ name, kind },
    column: named[name] ?? columnName(name, kind),
  }))
  return {
    columns: [...kinds.map(({ column }) => column), 'doc'],
    values: (thing) => [
      ...kinds.map(({ name }) => columnValue(valueIn(thing, name))),
      toDoc(thing as ThingOf<DocumentFields<F>>),
    ],
    read: (row) =>
      Object.fromEntries(kinds.map(({ name, kind }, at) => [name, fieldValue(kind, row[at])])) as ThingOf<F>,
  }
}

/** A list is stored as JSON. */
const columnValue = (value: unknown): Values[number] =>
  (typeof value === 'object' && value !== null ? JSON.stringify(value) : value) as Values[number]

function fieldValue(kind: Kind<unknown>, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (kind.name === 'boolean') return Boolean(value)
  if (isNumeric(kind)) return Number(value)
  return isList(kind) ? JSON.parse(String(value)) : String(value)
}

const isList = ({ schema: { type, anyOf } }: Kind<unknown>): boolean =>
  [type, ...((anyOf as readonly { readonly type?: unknown }[] | undefined) ?? []).map((each) => each.type)].includes(
    'array',
  )
