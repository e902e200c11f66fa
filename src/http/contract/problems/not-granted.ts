import type { Operation, Resource } from '../../../model/declaration/schema.ts'
import { mayRead, roleNeeded } from '../../../model/intent/caller.ts'
import { isGranted } from '../../../model/intent/grants.ts'
import type { Collection } from '../../../queries/collection.ts'
import { resourceOf, wholeOf } from '../../../queries/collections.ts'
import { ownRoles, type RoleHolder } from '../../../values/role.ts'
import { forbidden, type Problem } from './problem.ts'

/** For a caller whose roles never allow it: an operation, or an update if none is named. */
export function neverAllowed(
  caller: RoleHolder & { readonly actor: string | null },
  resource: Resource,
  operation?: Operation,
): Problem {
  const roles = ownRoles(caller)
  if (roles === undefined || !isGranted(resource)) return forbidden(roleNeeded(resource, operation), caller)
  return notGranted(roles, resource.name)
}

/** For a caller whose roles grant nothing of it. */
export const notGranted = (roles: readonly string[], resource: string): Problem => ({
  code: 'forbidden',
  detail: { text: 'The role {roles} does not allow this with any {resource}.', with: { roles, resource } },
})

/** Why the caller reads nothing of a collection; undefined if they may. */
export function unreadable(caller: RoleHolder, collection: Collection): Problem | undefined {
  const roles = ownRoles(caller)
  const resource = roles && (resourceOf(collection) ?? wholeOf(collection))
  return roles === undefined || resource === undefined || mayRead(caller, resource)
    ? undefined
    : notGranted(roles, resource.name)
}
