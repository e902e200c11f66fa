import type { Collection } from '../../queries/collection.ts'
import type { SortTerm } from '../../queries/query.ts'
import { readSort } from '../../queries/sort.ts'
import type { Read } from '../../values/kinds/kind.ts'
import { unknownName } from '../kit/settings.ts'
import type { EntitySet } from './model/entity-sets.ts'

/** `$select`: the members to show. */
export function readSelect({ properties, collection }: EntitySet, text: string): Read<readonly string[]> {
  // A member of a complex property is a path: `own/budget`.
  const names = text.split(',').map((name) => name.trim().replace('/', '.'))
  const isMember = (name: string): boolean =>
    name.includes('.') && collection.fields.get(name)?.through === undefined && collection.fields.has(name)
  const bad = names.find(
    (name) => name !== '*' && !properties.has(name) && !collection.relations.has(name) && !isMember(name),
  )
  if (bad === undefined) return { value: names.includes('*') ? [...properties.keys()] : [...new Set(names)] }
  return { fault: unknownName('property', bad, properties.keys()) }
}

/** `$orderby`: null is before every value (OData Protocol 4.01 §11.2.6.2). */
export const readOrder = (collection: Collection, text: string): Read<readonly SortTerm[]> =>
  readSort(collection, text.replaceAll('/', '.'), 'as in OData')
