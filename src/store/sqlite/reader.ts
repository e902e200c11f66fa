import { parentPort, workerData } from 'node:worker_threads'
import type { Select } from '../select.ts'
import { registerRegex } from '../sqlite-regex.ts'
import { connect } from './connect.ts'
import { codeOf } from './faults.ts'
import { selectRunner } from './statements.ts'

// A thread that reads what may scan, so that nobody else waits for it.

export interface ReadJob {
  readonly selects: readonly Select[]
  /** Whether the first column is wanted as lines of UTF-8 instead of as rows. */
  readonly lines: boolean
  /** Memory for the lines, which moves to the reader and comes back with them. */
  readonly into?: ArrayBuffer | undefined
}

export type ReadResult =
  | { readonly rows: readonly (readonly (readonly unknown[])[])[] }
  | { readonly lines: Uint8Array; readonly count: number; readonly last: readonly unknown[] | undefined }
  | { readonly failed: string; readonly code: number }

function runReader(path: string): void {
  const db = connect(path)
  db.exec('PRAGMA query_only = ON')
  registerRegex(db)
  const run = selectRunner(db)
  const read = (job: ReadJob): ReadResult => {
    const rows = job.selects.map(run)
    return job.lines ? asLines(rows[0] ?? [], job.into) : { rows }
  }
  parentPort?.on('message', (job: ReadJob | 'close') => {
    if (job === 'close') {
      db.close()
      parentPort?.close()
      return
    }
    try {
      const result = read(job)
      const moved = 'lines' in result ? [result.lines.buffer as ArrayBuffer] : []
      parentPort?.postMessage(result, moved)
    } catch (cause) {
      const failed = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
      parentPort?.postMessage({ failed, code: codeOf(cause) } satisfies ReadResult)
    }
  })
}

function asLines(rows: readonly (readonly unknown[])[], into = new ArrayBuffer(0)): ReadResult {
  let text = ''
  for (const row of rows) text += `${row[0]}\n`
  const needed = Buffer.byteLength(text)
  const memory = into.byteLength >= needed ? into : new ArrayBuffer(Math.ceil(needed * SLACK))
  const lines = new Uint8Array(memory, 0, needed)
  new TextEncoder().encodeInto(text, lines)
  return { lines, count: rows.length, last: rows.at(-1)?.slice(1) }
}

/** Batches differ a little in size; memory that fits one should fit the next. */
const SLACK = 1.25

if (workerData !== null) runReader(workerData as string)
