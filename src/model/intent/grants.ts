import { type Caller, includesRole, isRole, ownRoles, type Role, type RoleHolder, rankOf } from '../../values/role.ts'
import { bySchema } from '../declaration/by-schema.ts'
import type { Operation, Resource, Schema } from '../declaration/schema.ts'
import { grantable, readByAll } from '../nouns/role/grants.ts'
import { ANYTHING, type Grant, READ } from '../source/rights-source.ts'

// The grants of roles that admins made. Everybody with several, a user with a key that has a role of its own, may what all
// of them allow. Without such roles nothing here is asked. decisions/0078

/** The grants of each role of a caller for a resource; undefined if the three roles alone decide. */
export type Grants = readonly (readonly Grant[])[]

/** Whether grants speak of a resource at all. */
export const isGranted = ({ name }: Pick<Resource, 'name'>): boolean => granted.has(name)

const granted: ReadonlySet<string> = new Set(grantable)

/** The caller as the rights are now: who is gone or disabled has no role any more. */
export function callerNow(schema: Schema, caller: Caller): Caller {
  const { user, role, own } = caller
  if (schema.holders.length === 0 || role === null || user === undefined || user === null) return caller
  const holder = holdersIn(schema).get(user)
  const held = holder === undefined || holder.disabled ? NO_ROLE : holder.role
  const others = (own ?? []).slice(1)
  if (own === undefined && isRole(held)) return includesRole(held, role) ? caller : { ...caller, role: held }
  return { ...caller, role: lesser(role, rankOf(held)), own: [held, ...others] }
}

const holdersIn = bySchema(
  ({ holders }: Schema): ReadonlyMap<string, Schema['holders'][number]> =>
    new Map(holders.map((each) => [each.name, each])),
)

/** No role has an empty name: it grants nothing. */
const NO_ROLE = ''

const lesser = (one: Role, other: Role): Role => (includesRole(one, other) ? other : one)

/** The grants of a caller for a resource; undefined if roles that admins made say nothing about it. */
export function grantsFor({ schema, name }: Pick<Resource, 'schema' | 'name'>, caller: RoleHolder): Grants | undefined {
  const own = ownRoles(caller)
  if (own === undefined || !granted.has(name)) return undefined
  const roles = own.filter((each) => !isRole(each))
  if (roles.length === 0) return undefined
  const known = grantsIn(schema)
  return roles.map((role) => known.get(role)?.get(name) ?? [])
}

const grantsIn = bySchema(
  ({ roles }: Schema): ReadonlyMap<string, ReadonlyMap<string, readonly Grant[]>> =>
    new Map(roles.map(({ name, grants }) => [name, Map.groupBy(grants, ({ on }) => on)])),
)

export const allowsReading = ({ may }: Grant): boolean => may.includes(READ) || may.includes(ANYTHING)

/** Whether a grant allows an operation, or some change if none is named. */
const allows = ({ may }: Grant, operation: Operation | undefined): boolean =>
  may.includes(ANYTHING) || (operation === undefined ? may.some((each) => each !== READ) : may.includes(operation.name))

/** The conditions of which one must hold for each role to do an operation; undefined if a role never allows it. */
export function conditionsOf(grants: Grants, isMeant: (grant: Grant) => boolean): Conditions | undefined {
  const roles: (readonly string[])[] = []
  for (const role of grants) {
    const meant = role.filter(isMeant)
    if (meant.length === 0) return undefined
    if (meant.every(({ where }) => where !== undefined)) roles.push(meant.map(({ where = '' }) => where))
  }
  return roles
}

/** One list for each role whose grants all have a condition. */
export type Conditions = readonly (readonly string[])[]

/**
 * Under which conditions a caller may do an operation; undefined if never. Who changes a thing must see it; a new one
 * need not be seen.
 */
export function conditionsToDo(
  resource: Pick<Resource, 'name'>,
  grants: Grants,
  operation: Operation | undefined,
): Conditions | undefined {
  const toDo = conditionsOf(grants, (grant) => allows(grant, operation))
  const toSee = operation?.to === 'nothing' ? [] : conditionsToSee(resource, grants)
  return toDo === undefined || toSee === undefined ? undefined : [...toDo, ...toSee]
}

/** The grants by which a caller creates things. */
export const grantsToCreate = (
  resource: Resource,
  caller: Caller,
  operation: Operation | undefined,
): readonly Grant[] => (grantsFor(resource, caller) ?? []).flat().filter((grant) => allows(grant, operation))

/** Under which conditions a caller sees things; undefined if never. */
export const conditionsToSee = (resource: Pick<Resource, 'name'>, grants: Grants): Conditions | undefined =>
  readByAll.has(resource.name) ? [] : conditionsOf(grants, allowsReading)
