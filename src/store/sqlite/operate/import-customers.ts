import { Worker } from 'node:worker_threads'
import { addCounts, noRows, rowsOf } from '../../../model/customer/imported.ts'
import type { ImportedChunk, ImportProgress } from '../../port/maintenance.ts'
import { StoreUnavailable } from '../../port/store.ts'
import type { ChunkMessage, ImportMessage, ImportReply, ImportWorkerSettings } from './import-worker.ts'
import { readyDocuments } from './ready-documents.ts'

/** Chunks in flight to the writing thread: one in work and one waiting, so that neither thread idles. */
const MOST_UNDER_WAY = 3

/** Writes chunks in a thread of its own. After a failure, the database is as the last durable batch left it. */
export async function* importCustomers(
  source: AsyncIterable<ImportedChunk>,
  settings: ImportWorkerSettings,
): AsyncIterable<ImportProgress> {
  // The default young generation would grow to a hundred megabytes of short-lived rows.
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 64 },
  })
  const exited = new Promise((resolve) => worker.once('exit', resolve))
  const tally = newTally()
  const replies: Promise<ImportReply>[] = []
  const answered = queueOf<ImportReply>(worker)
  const send = (message: ImportMessage): void => {
    worker.postMessage(message, typeof message === 'object' ? buffersOf(message) : [])
    const reply = answered()
    // The thread may fail while the next rows are read.
    reply.catch(() => {})
    replies.push(reply)
  }
  /** Whether the rows of the last chunk were new customers, as those of the next one are likely to be. */
  let areNew = false
  const receive = async (): Promise<ImportProgress> => {
    const reply = await (replies.shift() as Promise<ImportReply>)
    if ('counts' in reply) areNew = reply.counts.inserted > rowsOf(reply.counts) / 2
    return tally.add(reply)
  }

  try {
    for await (const chunk of source) {
      const now = new Date().toISOString()
      send(areNew ? { chunk, now, ready: readyDocuments(chunk, now) } : { chunk, now })
      while (replies.length >= MOST_UNDER_WAY) yield await receive()
    }
    send('commit')
    while (replies.length > 0) yield await receive()
  } catch (cause) {
    // Report the chunks sent before first; a failure of the store itself comes with the first reply.
    if (!(cause instanceof StoreUnavailable)) {
      send('rollback')
      while (replies.length > 0) yield await receive()
    }
    throw cause
  } finally {
    worker.postMessage('close' satisfies ImportMessage)
    await exited
  }
}

function newTally() {
  let kept = noRows
  let open = kept
  let batches = 0
  return {
    add(reply: ImportReply): ImportProgress {
      if ('failed' in reply) throw new StoreUnavailable(`the database could not be written: ${reply.failed}`, 5)
      open = reply.batch === 'undone' ? kept : addCounts(open, reply.counts)
      if (reply.batch === 'durable') {
        if (rowsOf(open) > rowsOf(kept)) batches++
        kept = open
      }
      return { taken: rowsOf(open), kept, batches }
    },
  }
}

const buffersOf = ({ chunk: { ids, numbers, lengths }, ready }: ChunkMessage): ArrayBuffer[] => [
  ids.buffer,
  numbers.buffer,
  lengths.buffer,
  ...(ready ? [ready.bytes.buffer, ready.ends.buffer] : []),
]

/** Gives the worker's messages in their order, one per call; rejects all calls if the worker fails. */
function queueOf<T>(worker: Worker): () => Promise<T> {
  const asking: { resolve: (value: T) => void; reject: (cause: unknown) => void }[] = []
  let broken: { readonly cause: unknown } | undefined
  worker.on('message', (message: T) => asking.shift()?.resolve(message))
  worker.on('error', (cause) => {
    broken = { cause }
    for (const { reject } of asking.splice(0)) reject(cause)
  })
  return () =>
    new Promise((resolve, reject) => {
      if (broken === undefined) asking.push({ resolve, reject })
      else reject(broken.cause)
    })
}
