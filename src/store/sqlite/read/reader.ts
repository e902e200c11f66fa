import { parentPort } from 'node:worker_threads'
import type { PackedRows } from '../../select/read-page.ts'
import type { Select } from '../../select/select.ts'
import type { Row } from '../../sql/statement.ts'
import { connect } from '../connect/connection.ts'
import { codeOf } from '../connect/faults.ts'
import { type Serving, serveStores } from '../connect/serve-stores.ts'
import { type Lines, linesRunner, packedRunner, selectRunner } from '../connect/statements.ts'
import { registerExactNumbers } from '../sql/exact-numbers.ts'
import { noMatches, registerTextFunctions, type StepMatches, StepOver } from './text-functions.ts'

// The thread for reads that may scan, so that other requests do not wait for them.

export interface ReadJob {
  readonly selects: readonly Select[]
  /** Rows; or the first column of one select as lines of UTF-8; or the rows of the first select packed. */
  readonly as: 'rows' | 'lines' | 'packed'
  /** Whether the first column comes in parts and must be joined. */
  readonly whole?: boolean
  /** A buffer for the lines, transferred to the reader and back. */
  readonly into?: ArrayBuffer | undefined
  /** The search that this step belongs to. */
  readonly search?: number
  /** Whether it may overtake others in the queue: a new search may be short. */
  readonly ahead?: boolean
}

/** The other message to a reader: a search has ended, with its temporary tables. */
export interface ReaderNotice {
  readonly ended: number
  readonly tables: readonly string[]
}

export type ReadResult =
  | { readonly rows: readonly (readonly (readonly unknown[])[])[] }
  | Lines
  | PackedResult
  | { readonly failed: string; readonly code: number }
  | SearchStep

/** The packed rows of the first select, and the rows of the others. */
export interface PackedResult {
  readonly first: PackedRows
  readonly others: readonly (readonly Row[])[]
}

/** The result of a step: its rows, unless it ran out of time, and the milliseconds of CPU that it took. */
export interface SearchStep {
  readonly found: readonly (readonly (readonly unknown[])[])[] | undefined
  readonly took: number
}

/** Milliseconds after which a step is interrupted. */
const STEP = 10

function openReader(path: string): Serving<ReadJob | ReaderNotice> {
  const db = connect(path, { readOnly: true })
  registerExactNumbers(db)
  const { inStep } = registerTextFunctions(db)
  const run = selectRunner(db)
  const runLines = linesRunner(db)
  const runPacked = packedRunner(db)
  const searches = new Map<number, StepMatches>()

  const read = ({ selects, as, whole = false, into, search }: ReadJob): ReadResult => {
    if (search !== undefined) return step(selects, search)
    const [first, ...others] = selects
    if (as === 'rows' || first === undefined) return { rows: selects.map(run) }
    if (as === 'packed') return { first: runPacked(first, whole), others: others.map(run) }
    return inBuffer(whole ? linesOf(runPacked(first, true)) : runLines(first), into)
  }

  const step = (selects: ReadJob['selects'], search: number): SearchStep => {
    const matches = searches.get(search) ?? noMatches()
    searches.set(search, matches)
    const before = process.threadCpuUsage()
    const found = inOneState(() => stepOrNothing(() => inStep(matches, STEP, () => selects.map(run))))
    // The next step reads other rows.
    if (found !== undefined) searches.delete(search)
    const { user, system } = process.threadCpuUsage(before)
    return { found, took: (user + system) / 1000 }
  }

  /** Runs the statements of a step in one snapshot. */
  const inOneState = <T>(look: () => T): T => {
    db.exec('BEGIN')
    try {
      return look()
    } finally {
      if (db.isTransaction) db.exec('COMMIT')
    }
  }

  /** A table that cannot be dropped now, for lack of space or memory, is dropped by the next search of its name. */
  const drop = (table: string): void => {
    try {
      db.exec(`DROP TABLE IF EXISTS temp.${table}`)
    } catch {}
  }

  const hear = (job: ReadJob | ReaderNotice): void => {
    if ('ended' in job) {
      searches.delete(job.ended)
      for (const table of job.tables) drop(table)
      return
    }
    try {
      const result = read(job)
      parentPort?.postMessage(result, movedWith(result))
    } catch (cause) {
      const failed = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
      parentPort?.postMessage({ failed, code: codeOf(cause) } satisfies ReadResult)
    }
  }

  return { hear, close: () => db.close() }
}

function stepOrNothing<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (cause) {
    if (cause instanceof StepOver) return undefined
    throw cause
  }
}

const linesOf = ({ chunks, values }: PackedRows): Lines => ({
  lines: Buffer.concat(chunks),
  count: values.length,
  last: values.at(-1) ?? [],
})

/** The memory that a result transfers. */
function movedWith(result: ReadResult): ArrayBuffer[] {
  const arrays =
    'lines' in result ? [result.lines] : 'first' in result ? [...result.first.chunks, result.first.places] : []
  return arrays.map(({ buffer }) => buffer as ArrayBuffer)
}

function inBuffer({ lines, ...others }: Lines, into = new ArrayBuffer(0)): ReadResult {
  const memory = into.byteLength >= lines.length ? into : new ArrayBuffer(Math.ceil(lines.length * SLACK))
  const moved = new Uint8Array(memory, 0, lines.length)
  moved.set(lines)
  return { lines: moved, ...others }
}

/** Batches differ a little in size: a buffer that fits one should fit the next. */
const SLACK = 1.25

serveStores(openReader)
