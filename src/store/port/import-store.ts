import type { DoneBy } from '../../model/declaration/event.ts'
import type { Thing } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { GivenRow, RefusedRow } from '../../model/intent/import-rows.ts'
import type { ImportCounts } from '../../model/nouns/imports/import-counts.ts'
import type { Upload } from '../../model/nouns/imports/upload.ts'
import type { CallersReading } from '../../model/nouns/user/person.ts'

/** Uploaded files for imports, each stored for a time. decisions/0051 */
export interface ImportStore {
  /** A piece of the file, or of the rejected rows; one with the same number is replaced. */
  putPiece(id: string, part: ImportPart, number: number, content: string): Promise<void>
  piece(id: string, part: ImportPart, number: number): Promise<string | undefined>
  /** The numbers of the pieces of rejected rows, in order. */
  rejectedPieces(id: string): Promise<readonly number[]>
  /** The answers about files with the same headings: for everybody, then by the owner. Both are JSON texts. */
  answers(owner: string, resource: string, headings: string): Promise<readonly string[]>
  /** Keeps answers for the next such file; without an owner for everybody. */
  keepAnswers(owner: string, resource: string, headings: string, answers: string): Promise<void>
  /** Removes an upload that broke off, or whose file cannot be read. */
  discard(id: string): Promise<void>
  /** Also those of other users. */
  find(id: string): Promise<Upload | undefined>
  /** Begins to check or to import, or continues where that stopped; false if another run is active, or it is done. */
  begin(id: string, work: ImportWork, run: ImportRun, endsAt: string): Promise<boolean>
  /** Stores the progress of a run; false if another run has replaced it. */
  advance(step: ImportStep, counts: ImportCounts): Promise<boolean>
  /**
   * Adds things of a resource that is imported together, and changes those whose id exists, in one commit with the
   * step, with this many in a statement. Undefined, and nothing is written, if another run has replaced it.
   */
  write(resource: Resource, rows: RowsRead, step: ImportStep, atOnce: number): Promise<WrittenRows | undefined>
  /** The result that `write` would return, and the things that it would create. */
  check(resource: Resource, rows: RowsRead): Promise<CheckedRows>
  /** The stored progress of a run, for a caller who did not get the answer. */
  reached(id: string): Promise<ReachedStep | undefined>
  /**
   * One event announces everything that was written and not yet announced, also by earlier runs of the upload whose
   * process died.
   */
  conclude(resource: Resource, run: UploadRun, by: DoneBy): Promise<void>
  /** After many writes: the engine gets to know its tables. Concluding includes it. */
  tidy(resource: Resource): Promise<void>
  /** Stores how the file of a run is read, and what was found in it; false if another run has replaced it. */
  findOut(id: string, runner: string, matching: string, found: string): Promise<boolean>
  /** Ends a run. An imported file is removed; its rejected rows stay. */
  end(id: string, runner: string, stage: Upload['stage'], fault: string | null): Promise<void>
  trim(now: string): Promise<void>
}

/** Rows, and how their texts for persons are read. */
export interface RowsRead {
  readonly rows: readonly GivenRow[]
  readonly reading: CallersReading
}

export type ImportPart = 'file' | 'rejected'

/** The work on a whole file. */
export type ImportWork = 'checking' | 'importing'

export interface ImportRun {
  /** Identifies the run, so that one that counts as dead cannot continue next to its successor. */
  readonly runner: string
  /** Milliseconds without a step after which it counts as dead. */
  readonly lease: number
}

/** The upload of a run. */
export interface UploadRun {
  readonly id: string
  readonly runner: string
}

/** The progress of a run, and the counts of its stored rows. */
export interface ReachedStep {
  readonly upto: number
  readonly counts: ImportCounts
}

export interface WrittenRows {
  readonly counts: ImportCounts
  readonly refused: readonly RefusedRow[]
}

export interface CheckedRows extends WrittenRows {
  readonly made: readonly Thing[]
}

/** A processed part of a file. */
export interface ImportStep extends ImportRun {
  readonly id: string
  readonly upto: number
  readonly position: number
  /** The number of rows rejected since the last step. */
  readonly rejected: number
  /** The findings in the file so far; absent if nothing was added. */
  readonly found?: string | undefined
  /** On the command line there is no upload: the first step begins a record. */
  readonly records?: ImportRecord
}

/** An import of the command line: the plural of its resource, and the file's name and size. */
export interface ImportRecord {
  readonly resource: string
  readonly name: string
  readonly size: number
}
