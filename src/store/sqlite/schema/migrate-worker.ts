import { parentPort, workerData } from 'node:worker_threads'
import { type Opening, UnusableDatabase } from '../../port/opening.ts'
import { prepareDatabase } from './migrate.ts'

// The thread that migrates an old database while the main thread answers that it does.

export type MigrationMessage = { readonly step: string } | { readonly opening: Opening } | { readonly unusable: string }

function migrateHere(path: string): MigrationMessage {
  try {
    return { opening: prepareDatabase(path, (step) => tell({ step })) }
  } catch (cause) {
    if (!(cause instanceof UnusableDatabase)) throw cause
    return { unusable: cause.message }
  }
}

const tell = (message: MigrationMessage): void => parentPort?.postMessage(message)

if (workerData !== null) tell(migrateHere(workerData as string))
