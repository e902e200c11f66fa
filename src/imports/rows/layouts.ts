import type { Resource } from '../../model/schema.ts'
import { integer } from '../../values/kinds/number.ts'
import type { RowColumn, RowLayout } from '../read/row-reader.ts'
import { reference } from './row-reference.ts'

/** Things without an id are numbered after the largest one: this leaves trillions of numbers. */
const givenId = integer({ min: 1, max: 9e15 })

/**
 * The columns of a resource's rows. Every field may be in a file, as in an export; those that the service assigns are
 * ignored.
 */
export const layoutOf = (resource: Resource): RowLayout =>
  resource.imports === 'together' ? togetherLayout(resource) : rowByRowLayout(resource)

/** A row has the members that a creation needs; id and createdAt may say who it is and since when. */
function togetherLayout({ fields }: Resource): RowLayout {
  const taken = ['id', 'createdAt']
  const columns = Object.entries(fields).map(([name, { kind, by }]): [string, RowColumn] => [
    name,
    {
      kind: name === 'id' ? givenId : kind,
      ignored: by === 'service' && !taken.includes(name),
      optional: taken.includes(name),
    },
  ])
  const needed = Object.entries(fields).filter(([, { by, initial }]) => by === 'client' && initial === undefined)
  return { columns: new Map(columns), oneOf: needed.map(([name]) => name) }
}

/** A row names its thing; empty fields that operations set are ignored. */
function rowByRowLayout({ fields }: Resource): RowLayout {
  const columns = Object.entries(fields).map(([name, { kind, by }]): [string, RowColumn] => [
    name,
    { kind, ignored: by === 'service' && name !== 'id', optional: by !== 'client' },
  ])
  return {
    columns: new Map([['reference', { kind: reference, optional: true }], ...columns]),
    oneOf: ['id', 'reference'],
  }
}
