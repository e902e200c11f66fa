import type { Schema } from '../../../model/declaration/schema.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { ownRoles } from '../../../values/role.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { auditedEndpoints } from '../audited/audited-endpoints.ts'
import { isAdmin } from '../users/addressed-user.ts'

/** Roles. What one grants is shown to admins, and to those who have it. */
export const roleEndpoints = (schema: Schema): readonly Endpoint[] =>
  auditedEndpoints(resourceNamed(schema, 'role'), {
    list: { present: presentRole },
    about: 'Its grants are shown to admins, and to those who have the role.',
    present: presentRole,
  })

function presentRole(json: string, call: Call): string {
  if (isAdmin(call)) return json
  const { grants, ...shown } = JSON.parse(json) as { readonly name: string; readonly grants: unknown }
  const roles: readonly unknown[] = ownRoles(call) ?? [call.role]
  return JSON.stringify(roles.includes(shown.name) ? { ...shown, grants } : shown)
}
