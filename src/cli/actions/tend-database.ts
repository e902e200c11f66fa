import type { Settings } from '../../config.ts'
import { migrateDatabase, requireDatabase } from '../../store/open.ts'
import { exitCodes } from '../failure.ts'
import { shownAddress } from '../shown-address.ts'

/** Brings the database up to date; returns the exit code. */
export async function migrate(settings: Settings): Promise<number> {
  requireDatabase(settings)
  const { notes } = await migrateDatabase(settings, (step) => process.stderr.write(`migrating: ${step}\n`))
  for (const note of notes) process.stderr.write(`${note}\n`)
  process.stdout.write(`${shownAddress(settings.databaseUrl)} is up to date\n`)
  return exitCodes.fine
}
