/** What a caller may do; each role includes the ones before it. */
export const roles = ['reader', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

export const includesRole = (has: Role, needs: Role): boolean => roles.indexOf(has) >= roles.indexOf(needs)

/** Whoever asks; null is everybody of a service that is open, who may do everything. */
interface RoleHolder {
  readonly role: Role | null
}

/** Whether the caller may do what needs a role: pages offer nothing else. */
export const mayDo = ({ role }: RoleHolder, needs: Role): boolean => role === null || includesRole(role, needs)

export const mayOnlyRead = (caller: RoleHolder): boolean => !mayDo(caller, 'editor')
