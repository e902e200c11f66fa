import { Worker, type WorkerOptions } from 'node:worker_threads'
import { CLOSE, CLOSED } from './serve-stores.ts'

/** Threads whose store was closed, by the module that they run. */
const resting = new Map<string, Worker[]>()

/**
 * A thread for a store, that runs a module which calls `serveStores`. What it loads, most of the model, takes longer
 * than opening a database does: one that a closed store has left serves the next store of the process.
 */
export function takeThread(module: URL, settings: unknown, options: WorkerOptions = {}): Worker {
  const worker = resting.get(module.href)?.pop() ?? new Worker(module, options)
  worker.ref()
  worker.postMessage(settings)
  return worker
}

/** Resolves when the thread has closed its database. What it was asked before is answered first. */
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
