import { parentPort, workerData } from 'node:worker_threads'
import type { CustomerChange } from '../../customers/change.ts'
import type { Intent } from '../../perform.ts'
import { connect } from './connect.ts'
import { openDecider } from './decide.ts'
import { beginWriting, waitByAsking } from './transaction.ts'
import { type WebhookRows, webhookRows } from './webhook-rows.ts'

// The thread that writes. A batch is one message each way and one COMMIT: every job in it is answered by one sync.

export type Job =
  | { readonly kind: 'intent'; readonly intent: Intent }
  | { readonly kind: 'customer'; readonly change: CustomerChange }
  | { readonly kind: 'webhook'; readonly write: WebhookWrite }

/** The name of a write to webhooks, and its arguments. */
type WebhookWrite = {
  [Name in 'add' | 'change' | 'redeliver' | 'take' | 'settle' | 'release' | 'trim']: readonly [
    Name,
    ...Parameters<WebhookRows[Name]>,
  ]
}[keyof Pick<WebhookRows, 'add' | 'change' | 'redeliver' | 'take' | 'settle' | 'release' | 'trim'>]

export type Result = { readonly outcome: unknown } | { readonly failed: string }

export type BatchResult =
  | { readonly results: readonly Result[] }
  /** Nothing of the batch was kept. After an I/O error the file's state is not known: the process must end. */
  | { readonly failed: string; readonly fatal: boolean }

export interface WriterSettings {
  readonly path: string
  readonly currency: string
}

function runWriter({ path, currency }: WriterSettings): void {
  const db = connect(path)
  const decider = openDecider(db, { currency })
  waitByAsking(db)

  const webhooks = webhookRows(db)

  const run = (job: Job): unknown => {
    switch (job.kind) {
      case 'intent':
        return decider.perform(job.intent)
      case 'customer':
        return decider.changeCustomer(job.change)
      case 'webhook': {
        const [name, ...args] = job.write
        return (webhooks[name] as (...args: unknown[]) => unknown)(...args)
      }
    }
  }

  const inTransaction = (jobs: readonly Job[]): Result[] => {
    beginWriting(db)
    const results = jobs.map((job): Result => ({ outcome: run(job) }))
    db.exec('COMMIT')
    return results
  }

  const rollback = (): void => {
    if (db.isTransaction) db.exec('ROLLBACK')
  }

  /** A job that throws must not undo its neighbours: the batch is then repeated with a transaction for each. */
  const oneByOne = (jobs: readonly Job[]): Result[] =>
    jobs.map((job) => {
      try {
        const [result] = inTransaction([job])
        return result ?? { failed: 'no result' }
      } catch (cause) {
        rollback()
        if (isStoreFault(cause)) throw cause
        return { failed: messageOf(cause) }
      }
    })

  const decide = (jobs: readonly Job[]): BatchResult => {
    try {
      return { results: inTransaction(jobs) }
    } catch (cause) {
      try {
        rollback()
        if (isStoreFault(cause)) throw cause
        return { results: oneByOne(jobs) }
      } catch (fault) {
        return { failed: messageOf(fault), fatal: isFatal(fault) }
      }
    }
  }

  parentPort?.on('message', (jobs: readonly Job[] | 'close') => {
    if (jobs !== 'close') return parentPort?.postMessage(decide(jobs))
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    db.close()
    parentPort?.close()
  })
  parentPort?.postMessage('ready')
}

// SQLite's primary result codes: https://sqlite.org/rescode.html
const [BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB] = [5, 8, 10, 11, 13, 14, 26]
const storeFaults = new Set([BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB])
const fatalFaults = new Set([IOERR, CORRUPT, NOTADB])

const codeOf = (cause: unknown): number => ((cause as { errcode?: number } | null)?.errcode ?? 0) & 0xff
const isStoreFault = (cause: unknown): boolean => storeFaults.has(codeOf(cause))
const isFatal = (cause: unknown): boolean => fatalFaults.has(codeOf(cause))
const messageOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))

if (workerData !== null) runWriter(workerData as WriterSettings)
