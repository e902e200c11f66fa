import type { DocumentFields, Fields, ThingOf } from '../../../model/declaration/field.ts'
import { valueIn } from '../../../model/declaration/operation.ts'
import type { DeclaredResource } from '../../../model/declaration/resource.ts'
import { isNumeric, type Kind } from '../../../values/kinds/kind.ts'
import { columnName } from '../../sql/column-name.ts'
import { quotedOrNull } from '../../sql/row-document.ts'
import type { Row, Values } from '../../sql/statement.ts'

/** The rows of things that the audit tells of: a column for each field, in order, and the document last. */
export interface FieldRows<T> {
  readonly columns: readonly string[]
  values(thing: T): Values
  read(row: Row): T
}

export function documentRows<F extends Fields>({
  fields,
  toDoc,
}: Pick<DeclaredResource<string, F>, 'fields' | 'toDoc'>): FieldRows<ThingOf<F>> {
  const { columns, values, read } = fieldRows(fields)
  return {
    columns: [...columns, 'doc'],
    values: (thing) => [...values(thing), toDoc(thing as ThingOf<DocumentFields<F>>)],
    read,
  }
}

/** A column for each field, in their order. */
export function fieldRows<F extends Fields>(fields: F): FieldRows<ThingOf<F>> {
  const kinds = Object.entries(fields).map(([name, { kind }]) => ({ name, kind }))
  return {
    columns: kinds.map(({ name, kind }) => columnName(name, kind)),
    values: (thing) => kinds.map(({ name }) => columnValue(valueIn(thing, name))),
    read: (row) =>
      Object.fromEntries(kinds.map(({ name, kind }, at) => [name, fieldValue(kind, row[at])])) as ThingOf<F>,
  }
}

/** The document as read: the separately stored fields are its last members. */
export function documentItem({ beside = [], fields }: Pick<DeclaredResource, 'beside' | 'fields'>): string {
  const members = beside.flatMap((name) => {
    const kind = fields[name]?.kind
    return kind === undefined ? [] : [`',"${name}":'`, jsonOf(columnName(name, kind), kind)]
  })
  return members.length === 0 ? 'doc' : ['substr(doc, 1, length(doc) - 1)', ...members, "'}'"].join(' || ')
}

const jsonOf = (column: string, { name }: Kind<unknown>): string =>
  name === 'boolean' ? `CASE WHEN ${column} THEN 'true' ELSE 'false' END` : quotedOrNull(column)

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
