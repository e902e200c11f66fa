import type { Key, Resource } from '../../../model/resource.ts'
import { isDeleted } from '../../../model/resources.ts'
import type { Stored } from '../../../store/port/store.ts'
import type { Call } from '../../endpoint.ts'
import { targetIn } from '../../forms/parts/addressed.ts'
import { type Problem, refusalProblem, withView } from '../../respond/problems/problem.ts'
import type { ProblemCode } from '../../respond/problems/problem-types.ts'
import { showDeletedThing } from './thing-views.ts'

export function titleOf({ plural }: Resource): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1)
}

/** The problems of an address that names a thing. */
export function missingThing({ name, keepsDeleted }: Resource): readonly ProblemCode[] {
  return [`${name}-not-found`, ...(keepsDeleted ? [`${name}-deleted` as const] : [])]
}

/** The id in an address; nothing where it cannot be one. */
export function addressedId(resource: Resource, call: Call): Key | undefined {
  const read = resource.kinds.id?.read(targetIn(call))
  return read !== undefined && 'value' in read ? (read.value as Key) : undefined
}

/** The thing that an address names, or the problem. */
export async function findThing(
  resource: Resource,
  call: Call,
): Promise<{ readonly thing: Stored } | { readonly problem: Problem }> {
  const id = addressedId(resource, call)
  const found = id === undefined ? undefined : await call.service.store.find(resource, id)
  return found === undefined ? { problem: missingProblem(resource, call) } : { thing: found }
}

export const missingProblem = ({ name }: Resource, { params }: Call): Problem =>
  refusalProblem({ code: 'not-found', resource: name, id: params.id ?? '' })

/** The same, with a problem for a deleted thing. */
export async function findLive(
  resource: Resource,
  call: Call,
): Promise<{ readonly thing: Stored } | { readonly problem: Problem }> {
  const found = await findThing(resource, call)
  if ('problem' in found || !isDeleted(found.thing)) return found
  const { id, deletedAt } = found.thing
  const gone = refusalProblem({ code: 'deleted', resource: resource.name, id, deletedAt: String(deletedAt) })
  return { problem: await withView(gone, () => showDeletedThing(resource, found.thing, call)) }
}
