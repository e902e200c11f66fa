import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Starts a thread that runs a module of ours. */
export const startThread = (module: URL, options: WorkerOptions): Worker =>
  new Worker(new URL('./thread.ts', import.meta.url), { ...options, argv: [module.href] })
