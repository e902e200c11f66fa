/** The roles; each includes the ones before it. */
export const roles = ['reader', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

export const includesRole = (has: Role, needs: Role): boolean => roles.indexOf(has) >= roles.indexOf(needs)

/** A caller; the role is null in an open service, where everybody may do everything. */
export interface RoleHolder {
  readonly role: Role | null
}

/** Whether the caller has the needed role. Pages offer nothing beyond it. */
export const mayDo = ({ role }: RoleHolder, needs: Role): boolean => role === null || includesRole(role, needs)

export const mayOnlyRead = (caller: RoleHolder): boolean => !mayDo(caller, 'editor')

/** A user, also with one of their keys, or a key without a user. */
export interface Caller {
  readonly name: string
  readonly role: Role
  /** The user; null for a key without one. */
  readonly user?: string | null
  /** The name of the calling key. */
  readonly key?: string | null
  readonly by?: 'password' | 'session' | 'key' | 'token'
}

/** The person at the command line, or the service itself, who need not prove who they are. */
export const OPERATOR: Caller = { name: '', role: 'admin', user: null }
