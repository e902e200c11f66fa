import { type Caller, mayDo, type Role, type RoleHolder } from '../../values/role.ts'
import { valueIn } from '../declaration/operation.ts'
import type { Refusal } from '../declaration/refusal.ts'
import type { Thing } from '../declaration/resource.ts'
import type { Operation, Resource } from '../declaration/schema.ts'
import { roleFor } from '../schema/resources.ts'

// A service without users has no callers: everybody may do everything. decisions/0039

/** The least role that may do an operation, or update attributes, with whatever thing. */
export const roleNeeded = ({ roles }: Pick<Resource, 'roles'>, operation?: Operation): Role =>
  operation === undefined ? roles.writes : roleFor(operation)

export const mayRead = (caller: RoleHolder, { roles }: Pick<Resource, 'roles'>): boolean => mayDo(caller, roles.reads)

/** Whether the caller may ever do an operation, or update attributes, whatever the thing and body. */
export const mayEver = (caller: RoleHolder, resource: Pick<Resource, 'roles'>, operation?: Operation): boolean =>
  mayDo(caller, roleNeeded(resource, operation))

/** Whether the caller may do an operation with a thing. */
export const may = (caller: Caller | undefined, operation: Operation, thing: Thing): boolean =>
  denial(caller, operation.on, operation, thing) === undefined

/** Something asked of the caller and the thing: the refusal if they may not; `operation` is undefined for an update. */
export type Right = (
  caller: Caller,
  resource: Resource,
  operation: Operation | undefined,
  thing: Thing,
) => Refusal | undefined

const ofRole: Right = (caller, resource, operation) =>
  mayEver(caller, resource, operation)
    ? undefined
    : { code: 'needs-role', needed: roleNeeded(resource, operation), actor: caller.name, role: caller.role }

const ofOwner: Right = (caller, resource, _operation, thing) =>
  mayChange(resource, thing, caller) ? undefined : { code: 'not-owner', resource: resource.name, id: thing.id }

/** Every one must allow a change. */
const rights: readonly Right[] = [ofRole, ofOwner]

/** Why the caller may not do an operation with a thing, or update its attributes; undefined if they may. */
export function denial(
  caller: Caller | undefined,
  resource: Resource,
  operation: Operation | undefined,
  thing: Thing,
): Refusal | undefined {
  if (caller === undefined) return undefined
  for (const right of rights) {
    const refusal = right(caller, resource, operation, thing)
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

export const maySee = (resource: Pick<Resource, 'privacy'>, thing: object, caller: Caller | undefined): boolean =>
  isOneOf(privateTo(resource, thing), caller)

/** A thing without an owner may be changed by everybody who sees it. */
export const mayChange = ({ privacy }: Pick<Resource, 'privacy'>, thing: object, caller: Caller | undefined): boolean =>
  privacy === undefined || isOneOf((valueIn(thing, privacy.owner) ?? null) as string | null, caller)

export const isOneOf = (owner: string | null, caller: Caller | undefined): boolean =>
  owner === null || caller === undefined || caller.role === 'admin' || caller.name === owner
