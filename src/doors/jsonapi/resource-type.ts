import type { Addresses } from '../../http/contract/addresses.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import type { Relation } from '../../model/schema/resources.ts'
import { collectionOf } from '../../queries/collections.ts'

// A JSON:API type is a resource under its plural, and its relationships are the resource's relations.

/** Every type by its name. */
export const typesIn = bySchema(
  ({ resources }: Schema): ReadonlyMap<string, Resource> =>
    new Map(resources.map((resource) => [resource.plural, resource])),
)

export const relationsIn = (type: Resource): ReadonlyMap<string, Relation> => collectionOf(type).relations

/** The fields except the id and those of relationships. */
export const attributesOf = bySchema((type: Resource): readonly string[] => {
  const relations = [...relationsIn(type).values()]
  const references = new Set(relations.filter(({ kind }) => kind === 'one').map(({ field }) => field))
  return type.names.filter((name) => name !== 'id' && !references.has(name))
})

/** Ids are texts in JSON:API. An invalid one stays unchanged, and names nothing. */
export function keyFrom({ kinds }: Resource, id: string): Key {
  const read = kinds.id?.readText(id)
  return read !== undefined && 'value' in read ? (read.value as Key) : id
}

export const rootAt = ({ base }: Addresses): string => `${base}/jsonapi`

export const addressOf = (addresses: Addresses, { plural }: Resource, id: Key): string =>
  `${rootAt(addresses)}/${plural}/${id}`
