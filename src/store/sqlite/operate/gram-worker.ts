import { DatabaseSync } from 'node:sqlite'
import { type MessagePort, workerData } from 'node:worker_threads'
import { customer } from '../../../model/customer/customer.ts'
import { gramTable } from '../../sql/grams.ts'
import { createGrams, endGathering } from '../schema/search-index.ts'

// The thread that indexes the grams of imported customers, in a file of their own: see `grams-beside.ts`.

export interface GramWorkerSettings {
  readonly path: string
  /** Brings messages, and takes the reason why one failed. */
  readonly port: MessagePort
  /** How many messages were answered; the first answer is that the thread has begun. */
  readonly answered: Int32Array<SharedArrayBuffer>
}

/** A JSON object of texts by their row ids, which ascend; or that all have come. */
export type GramMessage = { readonly texts: string } | 'end'

function indexGrams({ path, port, answered }: GramWorkerSettings): void {
  let act: ((message: GramMessage) => void) | undefined

  const answer = (work: () => void): void => {
    try {
      work()
    } catch (cause) {
      port.postMessage(cause instanceof Error ? cause.message : String(cause))
    }
    Atomics.add(answered, 0, 1)
    Atomics.notify(answered, 0)
  }

  answer(() => {
    act = gatherGrams(path)
  })
  port.on('message', (message: GramMessage) => {
    answer(() => act?.(message))
    if (message === 'end') port.close()
  })
}

function gatherGrams(path: string): (message: GramMessage) => void {
  const db = new DatabaseSync(path)
  // Nobody opens the file again.
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN')
  createGrams(db, customer)
  const insert = db.prepare(
    `INSERT INTO ${gramTable(customer.plural)} (rowid, text) SELECT CAST(key AS INTEGER), value FROM json_each(?)`,
  )
  return (message) => {
    if (message !== 'end') {
      insert.run(message.texts)
      return
    }
    endGathering(db, customer)
    db.exec('COMMIT')
    db.close()
  }
}

if (workerData !== null) indexGrams(workerData as GramWorkerSettings)
