/** The subject of an entry of the audit. */
export interface AuditNote {
  readonly user?: string | null
  readonly key?: string | null
  readonly detail?: string | null
}

/** The author of a change and their address, as an entry of the audit has them. */
export interface Author {
  readonly actor: string | null
  /** The name of the used key. */
  readonly key?: string | null | undefined
  readonly address: string | null
}
