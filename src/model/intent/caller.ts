import type { Role } from '../../values/role.ts'
import { valueIn } from '../operation.ts'
import { roleFor } from '../resources.ts'
import type { Operation, Resource } from '../schema.ts'

/** A user, also with one of their keys, or a key without a user. */
export interface Caller {
  readonly name: string
  readonly role: Role
}

// A service without users has no callers: everybody may do everything. decisions/0039

/** The least role that may do an operation, or update attributes, with whatever thing. */
export const roleNeeded = ({ roles }: Pick<Resource, 'roles'>, operation: Operation | undefined): Role =>
  operation === undefined ? roles.writes : roleFor(operation)

/** The only caller who may see a thing, besides admins; null if everybody may. */
export function privateTo(resource: Pick<Resource, 'privacy'>, thing: object): string | null {
  const { privacy } = resource
  if (privacy === undefined || valueIn(thing, privacy.shared) === true) return null
  return (valueIn(thing, privacy.owner) ?? null) as string | null
}

export const maySee = (resource: Pick<Resource, 'privacy'>, thing: object, caller: Caller | undefined): boolean =>
  isOneOf(privateTo(resource, thing), caller)

/** A thing without an owner may be changed by everybody. */
export const mayChange = ({ privacy }: Pick<Resource, 'privacy'>, thing: object, caller: Caller | undefined): boolean =>
  privacy === undefined || isOneOf((valueIn(thing, privacy.owner) ?? null) as string | null, caller)

export const isOneOf = (owner: string | null, caller: Caller | undefined): boolean =>
  owner === null || caller === undefined || caller.role === 'admin' || caller.name === owner
