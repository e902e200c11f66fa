import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { customer } from '../../../model/customer/customer.ts'
import { gramText } from '../../sql/grams.ts'
import { sqlite } from '../dialect.ts'
import { takeGrams } from '../schema/search-index.ts'
import type { GramMessage, GramWorkerSettings } from './gram-worker.ts'

/** Rows of a message: a text of about 70 kB. */
const ROWS = 1000
/** Messages that may wait: they are kept in memory. */
const MOST_WAITING = 256
/** Milliseconds. A message takes a few. */
const LONGEST_WAIT = 60_000

/**
 * Indexes the grams of all customers in another thread and a temporary file, which is taken over at the end. It takes as
 * long as all their other indexes, and one file has one writer.
 */
export interface GramsBeside {
  /** Reads at least so many more customers and passes their texts on, in the caller's transaction. */
  feed(rows: number): void
  /** Passes the rest on, waits for the index and takes it over. */
  take(): void
  /** Must be called after the transaction, whichever way it ended. */
  end(): void
}

export function gramsBeside(db: DatabaseSync): GramsBeside {
  const folder = mkdtempSync(join(tmpdir(), 'dealdesk-grams-'))
  const path = join(folder, 'grams.db')
  db.prepare('ATTACH ? AS beside').run(path)
  const read = db.prepare(`SELECT count(*) AS rows, max(row) AS last, json_group_object(row, text) AS texts FROM (
    SELECT rowid AS row, ${gramText(customer, customer.plural, sqlite)} AS text FROM ${customer.plural}
    WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS}
  )`)
  const { port1: port, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const settings: GramWorkerSettings = { path, port: port2, answered }
  const worker = new Worker(new URL('./gram-worker.ts', import.meta.url), {
    workerData: settings,
    transferList: [port2],
  })
  // The thread that waits here sees no events: an answer that does not come tells.
  worker.on('error', () => {})
  let sent = 0
  let last = Number.MIN_SAFE_INTEGER

  /** Waits until all but so many messages are answered. */
  const wait = (waiting: number): void => {
    for (;;) {
      const done = Atomics.load(answered, 0)
      const failure = receiveMessageOnPort(port)?.message as string | undefined
      if (failure !== undefined) throw new Error(failure)
      if (done > sent - waiting) return
      if (Atomics.wait(answered, 0, done, LONGEST_WAIT) === 'timed-out')
        throw new Error('the search index stands still')
    }
  }

  const send = (message: GramMessage): void => {
    if (sent === 0) {
      wait(0)
      // Both have opened it: whatever ends the process, the file goes with it. Its folder must be there until then.
      removeIfAllowed(path)
    }
    port.postMessage(message)
    sent++
    wait(MOST_WAITING)
  }

  const feed = (rows: number): void => {
    for (let fed = 0; fed < rows; fed += ROWS) {
      const next = read.get(last)
      if (next?.rows === 0) return
      last = Number(next?.last)
      send({ texts: String(next?.texts) })
    }
  }

  return {
    feed,
    take() {
      feed(Number.POSITIVE_INFINITY)
      send('end')
      wait(0)
      takeGrams(db, customer, 'beside')
    },
    end() {
      db.exec('DETACH beside')
      port.close()
      void worker.terminate()
      removeIfAllowed(folder)
    },
  }
}

/** Windows removes no file that is open. */
function removeIfAllowed(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {}
}
