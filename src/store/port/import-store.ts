import type { DoneBy } from '../../model/event.ts'
import type { ImportCounts } from '../../model/imports/import-counts.ts'
import type { GivenRow } from '../../model/imports/import-rows.ts'
import type { Key } from '../../model/resource.ts'
import type { Resource } from '../../model/schema.ts'

/** Files that people have uploaded to import them, each for a time. Its rows are kept as the store keeps them. decisions/0051 */
export interface ImportStore {
  /** Removes what has ended, and of one owner the oldest beyond a few. */
  add(upload: NewImport, now: string): Promise<void>
  /** A piece of the file, or of the rows that were rejected; one with the same number is replaced. */
  putPiece(id: string, part: ImportPart, number: number, content: string): Promise<void>
  piece(id: string, part: ImportPart, number: number): Promise<string | undefined>
  /** The numbers of the pieces of rejected rows, in order. */
  rejectedPieces(id: string): Promise<readonly number[]>
  find(id: string, owner: string, now: string): Promise<StoredImport | undefined>
  /** The latest first. */
  of(owner: string, now: string): Promise<readonly StoredImport[]>
  /** Sets how the file is read and forgets what was found out before; false while it is imported or when it was. */
  match(id: string, matching: string, size: number, endsAt: string): Promise<boolean>
  /** Begins to check or to import, or goes on where that stopped; false if somebody else does it, or it is done. */
  begin(id: string, work: ImportWork, run: ImportRun, endsAt: string): Promise<boolean>
  /** Keeps how far a run has come; false if it is no longer the run that counts. */
  advance(step: ImportStep, counts: ImportCounts): Promise<boolean>
  /**
   * Adds things of a resource that is imported together, and changes those whose id exists, in one commit with the step,
   * so many of them in a statement. Undefined, and nothing is written, if it is no longer the run that counts.
   */
  write(
    resource: Resource,
    rows: readonly GivenRow[],
    step: ImportStep,
    atOnce: number,
  ): Promise<ImportCounts | undefined>
  /** What `write` would count, and the ids of what it would make. */
  check(resource: Resource, rows: readonly GivenRow[]): Promise<CheckedRows>
  /** What was kept of a run, for whoever did not get the answer. */
  reached(id: string): Promise<ReachedStep | undefined>
  /**
   * One event tells what was written and not told before, also by earlier runs of the upload, because their process
   * died.
   */
  conclude(resource: Resource, run: UploadRun, by: DoneBy): Promise<void>
  /** Ends a run. A file that was imported is removed; its rejected rows stay. */
  end(id: string, runner: string, stage: ImportStage, fault: string | null): Promise<void>
  remove(id: string, owner: string): Promise<boolean>
  trim(now: string): Promise<void>
}

export type ImportPart = 'file' | 'rejected'

/** What is done with a whole file. */
export type ImportWork = 'checking' | 'importing'
/** Where an upload stands. */
export type ImportStage = 'uploading' | 'matching' | 'checked' | 'done' | ImportWork

export interface NewImport {
  readonly id: string
  /** The name of who uploaded it; empty where the service is open. */
  readonly owner: string
  /** The plural of the resource. */
  readonly resource: string
  /** The file's name. */
  readonly name: string
  readonly createdAt: string
  readonly endsAt: string
}

export interface StoredImport extends NewImport {
  /** In bytes. */
  readonly size: number
  readonly stage: ImportStage
  /** How the file is read, as JSON text; null while it is uploaded. */
  readonly matching: string | null
  /** The line up to which the last run came, and how many bytes it had read. */
  readonly upto: number
  readonly position: number
  readonly counts: ImportCounts
  readonly rejected: number
  /** Why the last run ended before its time. */
  readonly fault: string | null
  /** Whether somebody is at it. */
  readonly isRunning: boolean
}

export interface ImportRun {
  /** Names the run, so that one that was taken for dead cannot go on beside its successor. */
  readonly runner: string
  /** Milliseconds without a step after which it is taken for dead. */
  readonly lease: number
}

/** The upload that a run is at. */
export interface UploadRun {
  readonly id: string
  readonly runner: string
}

/** How far a run came, and the counts of what it kept. */
export interface ReachedStep {
  readonly upto: number
  readonly counts: ImportCounts
}

export interface CheckedRows {
  readonly counts: ImportCounts
  readonly made: readonly Key[]
}

/** A part of a file that was dealt with. */
export interface ImportStep extends ImportRun {
  readonly id: string
  readonly upto: number
  readonly position: number
  /** How many rows were rejected since the last step. */
  readonly rejected: number
  /** On the command line the plural of what is imported: there is no upload, and a record is kept for the counts. */
  readonly records?: string
}
