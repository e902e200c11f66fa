import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Upload } from '../../model/nouns/imports/upload.ts'
import { lazily } from '../../values/lazily.ts'
import { UnreadableFile } from '../file/unreadable-file.ts'
import type { Matching } from '../read/matching.ts'
import type { RunOptions } from './run-import.ts'

const importing = lazily(() => import('./run-import.ts'))

/** The imports that this process runs in the background. */
export interface ImportRuns {
  /** Begins to check or to import; false if another run is active. */
  start(upload: Upload, matching: Matching, options: StartOptions): Promise<boolean>
  /** Resolves when none is under way. */
  ended(): Promise<void>
}

export interface StartOptions extends Omit<RunOptions, 'run'> {
  readonly endsAt: string
  readonly onFault: (cause: unknown) => void
}

/** Milliseconds. */
const MOMENT = 400
/** Milliseconds without a step after which a run counts as dead. */
const RUN_LEASE = 20_000

export function importRuns(): ImportRuns {
  const underWay = new Set<Promise<void>>()
  return {
    async start(upload, matching, { endsAt, onFault, ...options }) {
      const { imports } = options.store
      const run = { runner: randomUUID(), lease: RUN_LEASE }
      if (!(await imports.begin(upload.id, options.work, run, endsAt))) return false
      // It may continue after the last line of an earlier run.
      const begun = (await imports.find(upload.id)) ?? upload
      const running = carryOut(begun, matching, { ...options, run })
        .catch(onFault)
        .finally(() => underWay.delete(running))
      underWay.add(running)
      // A short import is done before the page is shown.
      await Promise.race([running, pause(MOMENT)])
      return true
    },
    async ended() {
      await Promise.all(underWay)
    },
  }
}

/** Records the end of the run; after a fault of the store, its lease runs out. */
async function carryOut(upload: Upload, matching: Matching, options: RunOptions): Promise<void> {
  const { work, run, store } = options
  const end = (stage: Upload['stage'], fault: string | null): Promise<void> =>
    store.imports.end(upload.id, run.runner, stage, fault)
  try {
    const { runImport } = await importing()
    const result = await runImport(upload, matching, options)
    if (result === 'ended') await end(work === 'checking' ? 'ready' : 'done', null)
    if (result === 'asking') await end('asking', null)
    if (result === 'stopped') await end(work, null)
  } catch (cause) {
    await end(work, whyEnded(cause))
    if (!(cause instanceof UnreadableFile)) throw cause
  }
}

function whyEnded(cause: unknown): string {
  if (!(cause instanceof UnreadableFile)) return 'store'
  return typeof cause.because === 'string' ? cause.because : 'header'
}
