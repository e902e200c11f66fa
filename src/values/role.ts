/** What a caller may do; each role includes the ones before it. */
export const roles = ['reader', 'editor', 'admin'] as const
export type Role = (typeof roles)[number]

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text)

export const includesRole = (has: Role, needs: Role): boolean => roles.indexOf(has) >= roles.indexOf(needs)
