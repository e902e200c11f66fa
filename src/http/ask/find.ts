import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { valueNamed } from '../../model/intent/unique-values.ts'
import { notFound } from '../../model/perform/target.ts'
import { isDeleted } from '../../model/schema/resources.ts'
import type { Desk, Stored } from '../../store/port/desk.ts'
import type { Call } from '../contract/endpoint.ts'
import type { Problem } from '../contract/problems/problem.ts'
import { refusalProblem } from '../contract/problems/refusals.ts'

export type FindResult = { readonly thing: Stored } | { readonly problem: Problem }

/** The sent id as the resource reads it; undefined if it cannot be one. */
export function keyOf(resource: Resource, id: unknown): Key | undefined {
  const read = resource.kinds.id?.read(id)
  return read !== undefined && 'value' in read ? (read.value as Key) : undefined
}

/**
 * The id of the thing that a name leads to, such as `renewals` of a pipeline, or a unique value, such as
 * `{"reference": "A-0004"}`, as a command has it.
 */
export async function keyNamed(resource: Resource, name: unknown, desk: Desk): Promise<Key | undefined> {
  const { addressedBy } = resource
  const target = typeof name === 'string' && addressedBy !== undefined ? { [addressedBy]: name } : name
  const named = valueNamed({ target }, resource)
  return named && (await desk.idBy(resource, named.field, named.value))
}

/** The thing with the sent id, or name if it is addressed by one, deleted or not, if the caller may see it. */
export async function find(resource: Resource, id: unknown, { desk }: Pick<Call, 'desk'>): Promise<FindResult> {
  const key = keyOf(resource, id) ?? (await keyNamed(resource, id, desk))
  const thing = key === undefined ? undefined : await desk.find(resource, key)
  return thing === undefined ? { problem: missing(resource, id) } : { thing }
}

/** The same, with a problem for a deleted thing. */
export async function findLive(resource: Resource, id: unknown, call: Pick<Call, 'desk'>): Promise<FindResult> {
  const found = await find(resource, id, call)
  return 'problem' in found || !isDeleted(found.thing) ? found : { problem: deleted(resource, found.thing) }
}

export const missing = (resource: Resource, id: unknown): Problem =>
  refusalProblem(notFound(resource, id), resource.schema)

export const deleted = ({ name, schema }: Resource, { id, deletedAt }: Stored): Problem =>
  refusalProblem({ code: 'deleted', resource: name, id, deletedAt: String(deletedAt) }, schema)
