import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { isDeleted } from '../../../model/schema/resources.ts'
import { capitalized } from '../../../values/kinds/text.ts'
import { deleted, type FindResult, find, keyOf, missing } from '../../ask/find.ts'
import type { Call } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import type { ProblemCode } from '../../contract/problems/problem-types.ts'
import { targetIn } from '../../forms/parts/addressed.ts'

export function titleOf({ plural }: Resource): string {
  return capitalized(plural)
}

/** The problems of an address that names a thing. */
export function missingThing({ name, keepsDeleted }: Resource): readonly ProblemCode[] {
  return [`${name}-not-found`, ...(keepsDeleted ? [`${name}-deleted` as const] : [])]
}

/** The id in an address; undefined if it cannot be one. */
export function addressedId(resource: Resource, call: Call): Key | undefined {
  return keyOf(resource, targetIn(call))
}

/** The thing that an address names, or the problem. */
export const findThing = (resource: Resource, call: Call): Promise<FindResult> => find(resource, targetIn(call), call)

export const missingProblem = (resource: Resource, { params }: Call): Problem => missing(resource, params.id ?? '')

/** The same, with a problem for a deleted thing, and its page for people. */
export async function findLive(resource: Resource, call: Call): Promise<FindResult> {
  const found = await findThing(resource, call)
  if ('problem' in found || !isDeleted(found.thing)) return found
  const { thing } = found
  return { problem: { ...deleted(resource, thing), shown: { screen: 'deleted', resource, thing } } }
}
