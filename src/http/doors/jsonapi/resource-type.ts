import type { Operation } from '../../../model/operation.ts'
import type { Key, Resource } from '../../../model/resource.ts'
import { operationsOn, type Relation, relationsOf, resources } from '../../../model/resources.ts'
import type { Addresses } from '../../contract/addresses.ts'
import { isDeletion } from '../../respond/replies.ts'

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

function describe(resource: Resource): ResourceType {
  const relations = relationsOf(resource)
  const references = new Set(relations.filter(({ kind }) => kind === 'one').map(({ field }) => field))
  const operations = operationsOn(resource)
  return {
    type: resource.plural,
    resource,
    attributes: resource.names.filter((name) => name !== 'id' && !references.has(name)),
    relations: new Map(relations.map((relation) => [relation.name, relation])),
    create: found(operations.find(({ to }) => to === 'nothing')),
    remove: found(operations.find(isDeletion)),
  }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a resource cannot be created or deleted')
  return value
}

export const resourceTypes: ReadonlyMap<string, ResourceType> = new Map(
  resources.map((resource) => [resource.plural, describe(resource)]),
)

export const typeNamed = (type: string): ResourceType => found(resourceTypes.get(type))

/** Ids are texts in JSON:API. One that cannot be an id stays as it is, and names nothing. */
export function keyFrom({ kinds }: Resource, id: string): Key {
  const read = kinds.id?.readText(id)
  return read !== undefined && 'value' in read ? (read.value as Key) : id
}

export const rootAt = ({ base }: Addresses): string => `${base}/jsonapi`

export const addressOf = (addresses: Addresses, type: string, id: Key): string => `${rootAt(addresses)}/${type}/${id}`
