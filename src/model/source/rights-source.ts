/** A team as a schema has it. */
export interface TeamSource {
  readonly id: string
  readonly name: string
  readonly title: string
  /** The name of the team that it is part of. */
  readonly parent: string | null
  readonly lead: string | null
  readonly members: readonly string[]
}

/** A user, as far as rights follow from them. */
export interface RoleHolder {
  readonly name: string
  /** The name of their role. */
  readonly role: string
  readonly disabled: boolean
}

/** A role. decisions/0075 */
export interface RoleSource {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly grants: readonly Grant[]
}

/** The operations that a role allows with the things of a resource that meet a condition, or with all of them. */
export interface Grant {
  readonly on: string
  /** `read`, names of operations, or `*` for all of these. */
  readonly may: readonly string[]
  /** A query, as in an address. */
  readonly where?: string
}

/** The word of a grant for seeing a thing, and the one for everything. */
export const READ = 'read'
export const ANYTHING = '*'
