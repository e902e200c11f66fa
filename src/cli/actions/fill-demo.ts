import type { Settings } from '../../config.ts'
import { demoContent } from '../../demo/content.ts'
import { buildSchema } from '../../model/schema/build-schema.ts'
import { openMaintenance } from '../../store/open.ts'
import type { Opening } from '../../store/port/opening.ts'
import { shownAddress } from '../../values/shown-address.ts'
import { Failure } from '../failure.ts'

/** The beginning of today in UTC: databases that are filled on the same day have the same data. */
const beginningOfDay = (): number => Math.floor(Date.now() / DAY) * DAY

const DAY = 86_400_000

/** Fills an empty database with the sample data. */
export async function fillDemo(settings: Settings): Promise<Opening> {
  const maintenance = await openMaintenance(settings, { mustExist: false })
  if ((await maintenance.fill(demoContent(buildSchema(), beginningOfDay()))) === 'filled') return maintenance.opening
  throw new Failure(
    `--demo fills an empty database only, and ${shownAddress(settings.databaseUrl)} holds something; start without it`,
  )
}
