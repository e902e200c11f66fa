import { customer } from '../../model/customer/customer.ts'
import type { Resource } from '../../model/resource.ts'
import { integer } from '../../values/kinds/number.ts'
import type { RowColumn, RowLayout } from '../read/row-reader.ts'
import { reference } from './row-reference.ts'

type CustomerField = keyof typeof customer.kinds
const ignored: ReadonlySet<string> = new Set(['updatedAt', 'revision'] satisfies CustomerField[])
const optional: ReadonlySet<string> = new Set(['id', 'createdAt'] satisfies CustomerField[])

/** Customers without an id are numbered behind the largest one: it leaves room for trillions of them. */
const givenId = integer({ min: 1, max: 9e15 })

/** What the rows of a resource look like. */
export const layoutOf = (resource: Resource): RowLayout =>
  resource.name === customer.name ? customerLayout : thingLayout(resource)

export const customerLayout: RowLayout = {
  columns: new Map(
    Object.entries(customer.kinds).map(([name, kind]): [string, RowColumn] => [
      name,
      { kind: name === 'id' ? givenId : kind, ignored: ignored.has(name), optional: optional.has(name) },
    ]),
  ),
  oneOf: ['name'],
}

/** Every field may stand in a file, as in an export; what operations set says nothing where it is empty. */
export function thingLayout({ fields }: Resource): RowLayout {
  const columns = Object.entries(fields).map(([name, { kind, by }]): [string, RowColumn] => [
    name,
    { kind, ignored: by === 'service' && name !== 'id', optional: by !== 'client' },
  ])
  return {
    columns: new Map([['reference', { kind: reference, optional: true }], ...columns]),
    oneOf: ['id', 'reference'],
  }
}
