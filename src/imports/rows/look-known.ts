import type { Resource } from '../../model/declaration/schema.ts'
import type { Desk } from '../../store/port/desk.ts'
import type { FileColumn } from '../cells/reading.ts'
import type { FileRow } from '../read/read-waves.ts'
import { thingsWith } from './find-named.ts'

/** Whether a column says which thing a row is. */
export const saysWhich = ({ uniques }: Resource, columns: readonly FileColumn[]): boolean =>
  columns.some(({ field }) => field === 'id' || (field !== null && uniques.includes(field)))

type Row = Pick<FileRow, 'values'>

/**
 * The number of rows that look like things that are there: by their e-mail address or telephone, or else by their name
 * together with the things that they refer to. To import them makes those things twice.
 */
export async function lookKnown(desk: Desk, resource: Resource, rows: readonly Row[]): Promise<number> {
  const found = new Set<Row>()
  const contacts = ['email', 'phone'].filter((field) => Object.hasOwn(resource.fields, field))
  for (const field of contacts) {
    const texts = new Set(rows.flatMap(({ values: { [field]: value } }) => (typeof value === 'string' ? [value] : [])))
    const known = new Set<unknown>()
    for await (const thing of thingsWith(desk, resource, field, [...texts])) known.add(thing[field])
    for (const row of rows) if (known.has(row.values[field])) found.add(row)
  }
  const byName = rows.filter(({ values }) => contacts.every((field) => (values[field] ?? null) === null))
  const keyOf = naming(resource)
  const name = Object.hasOwn(resource.fields, 'name') ? 'name' : 'title'
  const names = new Set(byName.map(({ values }) => String(values[name] ?? '')))
  const known = new Set<string>()
  for await (const thing of thingsWith(desk, resource, name, [...names])) known.add(keyOf(thing))
  for (const row of byName) if (known.has(keyOf(row.values))) found.add(row)
  return found.size
}

/** The name of a thing with what it refers to, or with its company. */
function naming({ fields }: Resource): (values: { readonly [field: string]: unknown }) => string {
  const others = Object.entries(fields).flatMap(([field, { kind }]) =>
    kind.refersTo !== undefined || field === 'company' ? [field] : [],
  )
  return (values) => JSON.stringify([values.name ?? values.title, ...others.map((field) => values[field] ?? null)])
}
