import type { Addresses } from '../../http/contract/addresses.ts'
import { isDeletion } from '../../http/respond/replies.ts'
import { bySchema } from '../../model/by-schema.ts'
import type { Key } from '../../model/resource.ts'
import { type Relation, relationsOf } from '../../model/resources.ts'
import type { Operation, Resource, Schema } from '../../model/schema.ts'

/** A resource as JSON:API sees it. */
export interface ResourceType {
  /** The plural. */
  readonly type: string
  readonly resource: Resource
  /** The fields but for the id and those that relationships stand for. */
  readonly attributes: readonly string[]
  readonly relations: ReadonlyMap<string, Relation>
  readonly create: Operation
  readonly remove: Operation
}

export const typeOf = bySchema((resource: Resource): ResourceType => {
  const relations = relationsOf(resource)
  const references = new Set(relations.filter(({ kind }) => kind === 'one').map(({ field }) => field))
  const { operations } = resource
  return {
    type: resource.plural,
    resource,
    attributes: resource.names.filter((name) => name !== 'id' && !references.has(name)),
    relations: new Map(relations.map((relation) => [relation.name, relation])),
    create: found(operations.find(({ to }) => to === 'nothing')),
    remove: found(operations.find(isDeletion)),
  }
})

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a resource cannot be created or deleted')
  return value
}

/** Every type by its name. */
export const typesIn = bySchema(
  ({ resources }: Schema): ReadonlyMap<string, ResourceType> =>
    new Map(resources.map((resource) => [resource.plural, typeOf(resource)])),
)

/** Ids are texts in JSON:API. One that cannot be an id stays as it is, and names nothing. */
export function keyFrom({ kinds }: Resource, id: string): Key {
  const read = kinds.id?.readText(id)
  return read !== undefined && 'value' in read ? (read.value as Key) : id
}

export const rootAt = ({ base }: Addresses): string => `${base}/jsonapi`

export const addressOf = (addresses: Addresses, type: string, id: Key): string => `${rootAt(addresses)}/${type}/${id}`
