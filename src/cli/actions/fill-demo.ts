import type { Settings } from '../../config.ts'
import { demoContent } from '../../demo/content.ts'
import { openMaintenance } from '../../store/open.ts'
import type { Opening } from '../../store/port/opening.ts'
import { Failure } from '../failure.ts'
import { shownAddress } from '../shown-address.ts'

/** Fills an empty database with the sample data. */
export async function fillDemo(settings: Settings): Promise<Opening> {
  const maintenance = await openMaintenance(settings, { mustExist: false })
  if ((await maintenance.fill(demoContent())) === 'filled') return maintenance.opening
  throw new Failure(
    `--demo fills an empty database only, and ${shownAddress(settings.databaseUrl)} holds something; start without it`,
  )
}
