import { parentPort, workerData } from 'node:worker_threads'
import type { SchemaSource } from '../../../model/declaration/schema.ts'
import { buildSchema } from '../../../model/schema/build-schema.ts'
import { type Opening, UnusableDatabase } from '../../port/opening.ts'
import { prepareDatabase } from './migrate.ts'

// The thread that migrates an old database while the main thread answers requests with the progress.

export interface Migration {
  readonly path: string
  readonly source: SchemaSource
}

export type MigrationMessage = { readonly step: string } | { readonly opening: Opening } | { readonly unusable: string }

function migrateHere({ path, source }: Migration): MigrationMessage {
  try {
    return { opening: prepareDatabase(path, buildSchema(source), (step) => tell({ step })) }
  } catch (cause) {
    if (!(cause instanceof UnusableDatabase)) throw cause
    return { unusable: cause.message }
  }
}

const tell = (message: MigrationMessage): void => parentPort?.postMessage(message)

if (workerData !== null) tell(migrateHere(workerData as Migration))
