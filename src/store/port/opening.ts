/** What opening a database found. */
export interface Opening {
  /** Whether it was created now. */
  readonly isNew: boolean
  /** Notes for the operator, one line each. */
  readonly notes: readonly string[]
}

/** An unusable database; the message tells an operator what to do. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}
