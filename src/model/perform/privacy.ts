import { valueIn } from '../operation.ts'
import type { Resource } from '../schema.ts'

/** The asking caller: a user, also with one of their keys, or a key without a user. */
export interface Claimant {
  readonly name: string
  readonly isAdmin: boolean
}

// A service without users has no claimants: everybody may do everything. decisions/0039

/** The only caller who may see a thing, besides admins; null if everybody may. */
export function privateTo(resource: Pick<Resource, 'privacy'>, thing: object): string | null {
  const { privacy } = resource
  if (privacy === undefined || valueIn(thing, privacy.shared) === true) return null
  return (valueIn(thing, privacy.owner) ?? null) as string | null
}

export const maySee = (resource: Pick<Resource, 'privacy'>, thing: object, claimant: Claimant | undefined): boolean =>
  isOneOf(privateTo(resource, thing), claimant)

/** A thing without an owner may be changed by everybody. */
export const mayChange = (
  { privacy }: Pick<Resource, 'privacy'>,
  thing: object,
  claimant: Claimant | undefined,
): boolean => privacy === undefined || isOneOf((valueIn(thing, privacy.owner) ?? null) as string | null, claimant)

export const isOneOf = (owner: string | null, claimant: Claimant | undefined): boolean =>
  owner === null || claimant === undefined || claimant.isAdmin || claimant.name === owner
