/** The result of opening a database. */
export interface Opening {
  /** Whether it was created now. */
  readonly isNew: boolean
  /** Notes for the operator, one line each. */
  readonly notes: readonly string[]
  /** Why its data is less safe than it should be; the ready line says so. */
  readonly caution?: string
}

/** Called at the beginning of each step of a migration. Without it nothing is migrated. */
export type OnStep = (step: string) => void

/** An unusable database; the message says what an operator can do. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

/** The reason for a write that meets the schema of another release. */
export const MOVED_ON = 'the database has the schema of another release'

/** Only a start and `migrate` migrate an old database. decisions/0041 */
export const behindText = (place: string, found: number, known: number): string =>
  `${place} is not up to date (${found === known ? 'its search index' : `schema ${found}, this release has ${known}`}); take a backup, then run: dealdesk migrate`
