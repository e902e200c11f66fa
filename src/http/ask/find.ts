import type { Key, Resource } from '../../model/resource.ts'
import { isDeleted } from '../../model/resources.ts'
import type { Store, Stored } from '../../store/port/store.ts'
import { type Problem, refusalProblem } from '../respond/problems/problem.ts'

export type FindResult = { readonly thing: Stored } | { readonly problem: Problem }

/** The id that was sent, as the resource reads it; undefined if it cannot be one. */
export function keyOf(resource: Resource, id: unknown): Key | undefined {
  const read = resource.kinds.id?.read(id)
  return read !== undefined && 'value' in read ? (read.value as Key) : undefined
}

/** The thing with the id that was sent, deleted or not. */
export async function find(resource: Resource, id: unknown, store: Pick<Store, 'find'>): Promise<FindResult> {
  const key = keyOf(resource, id)
  const thing = key === undefined ? undefined : await store.find(resource, key)
  return thing === undefined ? { problem: missing(resource, id) } : { thing }
}

/** The same, with a problem for a deleted thing. */
export async function findLive(resource: Resource, id: unknown, store: Pick<Store, 'find'>): Promise<FindResult> {
  const found = await find(resource, id, store)
  return 'problem' in found || !isDeleted(found.thing) ? found : { problem: deleted(resource, found.thing) }
}

export const missing = ({ name }: Resource, id: unknown): Problem =>
  refusalProblem({ code: 'not-found', resource: name, id: typeof id === 'string' ? id : (JSON.stringify(id) ?? '') })

export const deleted = ({ name }: Resource, { id, deletedAt }: Stored): Problem =>
  refusalProblem({ code: 'deleted', resource: name, id, deletedAt: String(deletedAt) })
