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

export interface BatchResult {
  /** Of the jobs that were decided: all of them, unless there is a fault. */
  readonly results: readonly Result[]
  /** Why nothing was kept of the other jobs. */
  readonly fault?: Fault
}

/** After a fatal one the file's state is not known: the process must end. */
interface Fault {
  readonly message: string
  readonly fatal: boolean
}

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

  /** Takes back what was begun, and says whether it was the disk that failed and not the job. */
  const undo = (cause: unknown): Fault | undefined => {
    try {
      if (db.isTransaction) db.exec('ROLLBACK')
    } catch (another) {
      return { message: String(another), fatal: true }
    }
    return isStoreFault(cause) ? { message: String(cause), fatal: isFatal(cause) } : undefined
  }

  const decide = (jobs: readonly Job[]): BatchResult => {
    try {
      return { results: inTransaction(jobs) }
    } catch (cause) {
      const fault = undo(cause)
      return fault === undefined ? oneByOne(jobs) : { results: [], fault }
    }
  }

  /**
   * A job that throws must not undo its neighbours: the batch is then repeated with a transaction for each. When the
   * disk fails on the way, the jobs before it are kept and told so.
   */
  const oneByOne = (jobs: readonly Job[]): BatchResult => {
    const results: Result[] = []
    for (const job of jobs) {
      try {
        results.push(...inTransaction([job]))
      } catch (cause) {
        const fault = undo(cause)
        if (fault !== undefined) return { results, fault }
        results.push({ failed: messageOf(cause) })
      }
    }
    return { results }
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
