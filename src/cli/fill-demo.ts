import type { Settings } from '../config.ts'
import { demoContent } from '../demo/content.ts'
import { openStore } from '../store/open.ts'
import { Failure } from './failure.ts'

/** Fills an empty database with the sample data. */
export async function fillDemo(settings: Settings): Promise<void> {
  const store = await openStore(settings, () => {})
  const filled = await store.fill(demoContent())
  await store.close()
  if (filled === 'filled') return
  throw new Failure(
    `--demo fills an empty database only, and ${settings.databaseUrl} holds something; start without it`,
  )
}
