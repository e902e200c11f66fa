import { Worker } from 'node:worker_threads'
import { type OnStep, type Opening, UnusableDatabase } from '../../port/opening.ts'
import { DatabaseBehind, prepareDatabase } from './migrate.ts'
import type { MigrationMessage } from './migrate-worker.ts'

/** A database that is up to date; an old one is migrated in a thread, so that this one goes on answering. */
export async function prepared(path: string, onStep: OnStep | undefined): Promise<Opening> {
  try {
    const opening = prepareDatabase(path)
    return onStep === undefined || opening.isIndexed ? opening : await migrateAside(path, onStep)
  } catch (cause) {
    if (!(cause instanceof DatabaseBehind) || onStep === undefined) throw cause
    return migrateAside(path, onStep)
  }
}

function migrateAside(path: string, onStep: OnStep): Promise<Opening> {
  const worker = new Worker(new URL('./migrate-worker.ts', import.meta.url), { workerData: path })
  return new Promise((resolve, reject) => {
    worker.on('message', (message: MigrationMessage) => {
      if ('step' in message) onStep(message.step)
      else if ('opening' in message) resolve(message.opening)
      else reject(new UnusableDatabase(message.unusable))
    })
    worker.on('error', reject)
    worker.on('exit', () => reject(new UnusableDatabase(`the migration of ${path} stopped before it was done`)))
  })
}
