import { Worker } from 'node:worker_threads'
import type { Schema } from '../../../model/declaration/schema.ts'
import { sourceOf } from '../../../model/schema/build-schema.ts'
import { type OnStep, type Opening, UnusableDatabase } from '../../port/opening.ts'
import { DatabaseBehind, prepareDatabase } from './migrate.ts'
import type { Migration, MigrationMessage } from './migrate-worker.ts'

/** A database that is up to date; an old one is migrated in a separate thread, so that this one keeps answering. */
export async function prepared(path: string, schema: Schema, onStep: OnStep | undefined): Promise<Opening> {
  try {
    const opening = prepareDatabase(path, schema)
    return onStep === undefined || opening.isIndexed ? opening : await migrateAside(path, schema, onStep)
  } catch (cause) {
    if (!(cause instanceof DatabaseBehind) || onStep === undefined) throw cause
    return migrateAside(path, schema, onStep)
  }
}

function migrateAside(path: string, schema: Schema, onStep: OnStep): Promise<Opening> {
  const workerData: Migration = { path, source: sourceOf(schema) }
  const worker = new Worker(new URL('./migrate-worker.ts', import.meta.url), { workerData })
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
