/** What there was when a database was opened. */
export interface Opening {
  /** Whether it was made just now. */
  readonly isNew: boolean
  /** What an operator should know of it, a line each. */
  readonly notes: readonly string[]
}
