/** The roles; each includes the ones before it. */
export const roles = ['reader', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

export const includesRole = (has: Role, needs: Role): boolean => roles.indexOf(has) >= roles.indexOf(needs)

/**
 * A caller; the role is null in an open service, where everybody may do everything. Somebody with roles that admins made
 * is an editor as far as the three roles are asked, and may what all of these roles grant.
 */
export interface RoleHolder {
  readonly role: Role | null
  readonly own?: readonly string[] | undefined
  /** Of a call, the caller's. */
  readonly caller?: { readonly own?: readonly string[] | undefined } | null | undefined
}

/** The roles of a caller, if admins made one of them. */
export const ownRoles = ({ own, caller }: Omit<RoleHolder, 'role'>): readonly string[] | undefined => own ?? caller?.own

/** Whether the caller has the needed role. Pages offer nothing beyond it. */
export const mayDo = ({ role }: RoleHolder, needs: Role): boolean => role === null || includesRole(role, needs)

/** The least role that a route needs; where grants decide, a caller with some is let in, and the decision asks for them. */
export const isAdmitted = (caller: RoleHolder, needs: Role, byGrants: boolean): boolean =>
  mayDo(caller, needs) || (byGrants && ownRoles(caller) !== undefined)

export const mayOnlyRead = (caller: RoleHolder): boolean => !mayDo(caller, 'editor')

/** A user, also with one of their keys, or a key without a user. */
export interface Caller {
  readonly name: string
  readonly role: Role
  /** The roles that admins made: the user's, and the key's. */
  readonly own?: readonly string[] | undefined
  /** The user; null for a key without one. */
  readonly user?: string | null
  /** The name of the calling key. */
  readonly key?: string | null
  readonly by?: 'password' | 'session' | 'key' | 'token'
}

/** The role as far as the three roles are asked. */
export const rankOf = (role: string): Role => (isRole(role) ? role : 'editor')

/** The person at the command line, or the service itself, who need not prove who they are. */
export const OPERATOR: Caller = { name: '', role: 'admin', user: null }
