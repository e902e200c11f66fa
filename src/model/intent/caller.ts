import { type Caller, includesRole, isRole, mayDo, ownRoles, type Role, type RoleHolder } from '../../values/role.ts'
import { valueIn } from '../declaration/operation.ts'
import type { Refusal } from '../declaration/refusal.ts'
import type { Thing } from '../declaration/resource.ts'
import type { Operation, Resource } from '../declaration/schema.ts'
import { operationsOnExisting, roleFor } from '../schema/resources.ts'
import { type Conditions, conditionsToDo, conditionsToSee, type Grants, grantsFor } from './grants.ts'

// A service without users has no callers: everybody may do everything. decisions/0039

/** Whether a thing meets the conditions of grants, for a caller. What they mean is known above the model. */
export type Meets = (resource: Resource, conditions: Conditions, caller: Caller, thing: object) => boolean

const NEVER: Meets = (_resource, conditions) => conditions.length === 0

/** The least role that may do an operation, or update attributes, with whatever thing. */
export const roleNeeded = ({ roles }: Pick<Resource, 'roles'>, operation?: Operation): Role =>
  operation === undefined ? roles.writes : roleFor(operation)

/** Whether the caller may ever see one of the things. */
export function mayRead(
  caller: RoleHolder,
  resource: Pick<Resource, 'roles' | 'schema' | 'name' | 'privacy'>,
): boolean {
  const grants = resource.privacy === undefined ? grantsFor(resource, caller) : undefined
  return (
    mayDo(caller, resource.roles.reads) && (grants === undefined || conditionsToSee(resource, grants) !== undefined)
  )
}

/** Whether the caller may ever do an operation, or update attributes, whatever the thing and body. */
export function mayEver(caller: RoleHolder, resource: Resource, operation?: Operation): boolean {
  const needed = roleNeeded(resource, operation)
  const grants = changeGrants(resource, caller)
  if (grants === undefined) return mayDo(caller, needed)
  const isBelow = (ownRoles(caller) ?? []).some((role) => isRole(role) && !includesRole(role, needed))
  return caller.role !== 'reader' && !isBelow && conditionsToDo(resource, grants, operation) !== undefined
}

/** Things that belong to their creators are changed by these, whatever is granted. */
const changeGrants = (resource: Resource, caller: RoleHolder): Grants | undefined =>
  resource.privacy === undefined ? grantsFor(resource, caller) : undefined

/** Whether the caller may do an operation with a thing. */
export const may = (caller: Caller | undefined, operation: Operation, thing: Thing, meets: Meets = NEVER): boolean =>
  denial(caller, operation.on, operation, thing, meets) === undefined

/** Something asked of the caller and the thing: the refusal if they may not; `operation` is undefined for an update. */
export type Right = (
  caller: Caller,
  resource: Resource,
  operation: Operation | undefined,
  thing: Thing,
  meets: Meets,
) => Refusal | undefined

const ofRole: Right = (caller, resource, operation) => {
  if (mayEver(caller, resource, operation)) return undefined
  const { name: actor, role, own } = caller
  return own === undefined
    ? { code: 'needs-role', needed: roleNeeded(resource, operation), actor, role }
    : { code: 'not-granted', resource: resource.name, actor, roles: own }
}

/** A new thing is judged when it is made. */
const ofGrants: Right = (caller, resource, operation, thing, meets) => {
  const grants = changeGrants(resource, caller)
  if (grants === undefined || thing.revision === 0) return undefined
  const conditions = conditionsToDo(resource, grants, operation)
  if (conditions !== undefined && meets(resource, conditions, caller, thing)) return undefined
  const allowed = operationsOnExisting(resource).filter((each) => isGrantedFor(each, grants, caller, thing, meets))
  const { name } = operation ?? { name: 'change' }
  const names = allowed.map((each) => each.name)
  return { code: 'not-allowed', resource: resource.name, id: thing.id, operation: name, allowed: names }
}

function isGrantedFor(operation: Operation, grants: Grants, caller: Caller, thing: Thing, meets: Meets): boolean {
  const conditions = conditionsToDo(operation.on, grants, operation)
  return conditions !== undefined && meets(operation.on, conditions, caller, thing)
}

const ofOwner: Right = (caller, resource, _operation, thing) =>
  mayChange(resource, thing, caller) ? undefined : { code: 'not-owner', resource: resource.name, id: thing.id }

/** Every one must allow a change. */
const rights: readonly Right[] = [ofRole, ofGrants, ofOwner]

/** Why the caller may not do an operation with a thing, or update its attributes; undefined if they may. */
export function denial(
  caller: Caller | undefined,
  resource: Resource,
  operation: Operation | undefined,
  thing: Thing,
  meets: Meets = NEVER,
): Refusal | undefined {
  if (caller === undefined) return undefined
  for (const right of rights) {
    const refusal = right(caller, resource, operation, thing, meets)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** The only caller who may see a thing, besides admins; null if everybody may. */
export function privateTo({ privacy }: Pick<Resource, 'privacy'>, thing: object): string | null {
  if (privacy === undefined) return null
  const owner = (valueIn(thing, privacy.owner) ?? null) as string | null
  if (privacy.shared === undefined) return owner ?? NOBODY
  return valueIn(thing, privacy.shared) === true ? null : owner
}

/** No caller has an empty name. */
const NOBODY = ''

/** Whether the caller sees a thing. */
export function maySee(resource: Resource, thing: object, caller: Caller | undefined, meets: Meets = NEVER): boolean {
  if (!isOneOf(privateTo(resource, thing), caller)) return false
  const grants = caller && grantsFor(resource, caller)
  if (caller === undefined || grants === undefined || isOwn(resource, thing, caller)) return true
  const conditions = conditionsToSee(resource, grants)
  return conditions !== undefined && meets(resource, conditions, caller, thing)
}

const isOwn = ({ privacy }: Resource, thing: object, { name }: Caller): boolean =>
  privacy !== undefined && valueIn(thing, privacy.owner) === name

/** A thing without an owner may be changed by everybody who sees it. */
export const mayChange = ({ privacy }: Pick<Resource, 'privacy'>, thing: object, caller: Caller | undefined): boolean =>
  privacy === undefined || isOneOf((valueIn(thing, privacy.owner) ?? null) as string | null, caller)

export const isOneOf = (owner: string | null, caller: Caller | undefined): boolean =>
  owner === null || caller === undefined || caller.role === 'admin' || caller.name === owner
