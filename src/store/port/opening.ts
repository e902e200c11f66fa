/** What there was when a database was opened. */
export interface Opening {
  /** Whether it was made just now. */
  readonly isNew: boolean
  /** What an operator should know of it, a line each. */
  readonly notes: readonly string[]
}

/** A database that cannot be served from; the message tells an operator what to do about it. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}
