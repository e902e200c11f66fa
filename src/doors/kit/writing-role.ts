import { roleFor } from '../../http/ask/ask.ts'
import { operationNamed } from '../../model/resources.ts'
import type { Resource } from '../../model/schema.ts'
import type { Role } from '../../values/role.ts'

/**
 * The role that a write to a resource needs: that of the operation, or of an update where none is named. What is not
 * there needs none, so that everybody is told so.
 */
export function writingRole(resource: Resource | undefined, operation?: string): Role {
  if (resource === undefined) return 'reader'
  const named = operationNamed(operation, resource)
  return named === undefined ? resource.roles.writes : roleFor(named)
}
