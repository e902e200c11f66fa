/** What opening a database found. */
export interface Opening {
  /** Whether it was created now. */
  readonly isNew: boolean
  /** Notes for the operator, one line each. */
  readonly notes: readonly string[]
  /** What makes its data less safe than it should be; the ready line says it. */
  readonly caution?: string
}

/** Told of each step of a migration as it begins. Whoever gives none does not migrate. */
export type OnStep = (step: string) => void

/** An unusable database; the message tells an operator what to do. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

/** What a write is told that meets the schema of another release. */
export const MOVED_ON = 'the database has the schema of another release'

/** Only a start and `migrate` bring an old database up to date. decisions/0041 */
export const behindText = (place: string, found: number, known: number): string =>
  `${place} is not up to date (${found === known ? 'its search index' : `schema ${found}, this release has ${known}`}); take a backup, then run: dealdesk migrate`
