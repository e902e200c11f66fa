import { isRole } from '../../../values/role.ts'
import type { AuditNote } from '../../declaration/audit-note.ts'
import { createMembers, patchMembers } from '../../declaration/field.ts'
import { type DecidingFacts, defineAudited } from '../../declaration/operation.ts'
import { inUse, type Refusal, type UsedBy } from '../../declaration/refusal.ts'
import { grantFaults, keptGrant } from './grants.ts'
import { type OwnRole, role } from './role.ts'

const on = role

/** The facts that the store knows in addition to a role: nothing changes them before the commit. */
export interface RoleFacts {
  /** The users and keys that have the role, the first ones. */
  readonly usedBy: readonly UsedBy[]
}

type Deciding = DecidingFacts<OwnRole, RoleFacts>

const UNCHANGED: object = {}

const about = ({ name }: OwnRole): AuditNote => ({ detail: name })

/** The roles that everybody relies on stay as they are. */
const builtIn = ({ name }: Pick<OwnRole, 'name'>): Refusal | undefined =>
  isRole(name) ? { code: 'built-in', role: name } : undefined

const create = defineAudited({
  on,
  name: 'create',
  to: 'nothing',
  title: 'Add a role',
  params: () => createMembers(role.fields),
  body: {
    name: 'NewRole',
    examples: [
      {
        name: 'seller',
        title: 'Seller',
        grants: [
          { on: 'deal', may: ['read'] },
          { on: 'deal', may: ['*'], where: 'owner=me' },
        ],
      },
    ],
  },
  check: ({ grants }, _now, { on: { schema }, conditionFaults }) =>
    grants === undefined ? [] : grantFaults(grants, schema, conditionFaults),
  apply(_blank, { grants, ...fields }, _now, { on: { schema } }: Deciding) {
    const { name } = fields
    const isTaken = isRole(name) || schema.roles.some((each) => each.name === name)
    if (isTaken) return { refused: { code: 'name-taken', resource: 'role', name } as const }
    return { ...fields, grants: grants.map(keptGrant) }
  },
  audit: { 'role-created': { title: 'Role added', of: about } },
})

/** The name stays: users and keys have it. */
const { name: _name, ...patch } = patchMembers(role.fields)

const change = defineAudited({
  on,
  name: 'change',
  noun: 'edits',
  title: 'Change a role',
  params: () => patch,
  body: { name: 'RolePatch', examples: [{ grants: [{ on: 'deal', may: ['read'], where: 'owner=my-team' }] }] },
  demandsState: true,
  differences: true,
  check: ({ grants }, _now, { on: { schema }, conditionFaults }) =>
    grants === undefined ? [] : grantFaults(grants, schema, conditionFaults),
  apply(before, { grants, ...fields }) {
    const refused = builtIn(before)
    if (refused !== undefined) return { refused }
    return { ...fields, ...(grants !== undefined && { grants: grants.map(keptGrant) }) }
  },
  audit: { 'role-edited': { title: 'Role edited', of: about } },
})

const remove = defineAudited({
  on,
  name: 'remove',
  noun: 'removals',
  removes: true,
  title: 'Remove a role',
  params: () => ({}),
  demandsState: true,
  apply(before, _params, _now, { known: { usedBy } }: Deciding) {
    const refused = builtIn(before) ?? inUse('role', before.id, usedBy)
    return refused === undefined ? UNCHANGED : { refused }
  },
  audit: { 'role-removed': { title: 'Role removed', of: about } },
})

export const roleOperations = [create, change, remove] as const
