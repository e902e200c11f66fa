import type { Settings } from '../config.ts'
import { demoContent } from '../demo/content.ts'
import { openMaintenance } from '../store/open.ts'
import { Failure } from './failure.ts'

/** Fills an empty database with the sample data. */
export async function fillDemo(settings: Settings): Promise<void> {
  const maintenance = await openMaintenance(settings, { mustExist: false })
  if ((await maintenance.fill(demoContent())) === 'filled') return
  throw new Failure(
    `--demo fills an empty database only, and ${settings.databaseUrl} holds something; start without it`,
  )
}
