import { Worker, type WorkerOptions } from 'node:worker_threads'
import { CLOSE, CLOSED } from './serve-stores.ts'

/** Rows and statements are short-lived: a small young generation keeps the process small, and costs nothing. */
export const shortLived = { maxYoungGenerationSizeMb: 8 }

/** Idle threads of closed stores, by their module. */
const resting = new Map<string, Worker[]>()

/**
 * A thread for a store, which runs a module that calls `serveStores`. Loading the model takes longer than opening a
 * database, so a thread of a closed store serves the next store of the process.
 */
export function takeThread(module: URL, settings: unknown, options: WorkerOptions = {}): Worker {
  const worker = resting.get(module.href)?.pop() ?? new Worker(module, options)
  worker.ref()
  worker.postMessage(settings)
  return worker
}

/** Resolves when the thread has closed its database. Earlier requests are answered first. */
export function leaveThread(module: URL, worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.on('message', (answer) => {
      if (answer !== CLOSED) return
      for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
      // It does not keep the process from ending.
      worker.unref()
      resting.set(module.href, [...(resting.get(module.href) ?? []), worker])
      resolve()
    })
    // The process does not end before the database is closed.
    worker.ref()
    worker.postMessage(CLOSE)
  })
}
