import type { Settings } from '../../config.ts'
import { migrateDatabase, requireDatabase, vacuumDatabase } from '../../store/open.ts'
import { shownAddress } from '../../values/shown-address.ts'
import { exitCodes } from '../failure.ts'
import { grouped } from '../progress.ts'

/** Migrates the database; returns the exit code. */
export async function migrate(settings: Settings): Promise<number> {
  requireDatabase(settings)
  const { notes } = await migrateDatabase(settings, (step) => process.stderr.write(`migrating: ${step}\n`))
  for (const note of notes) process.stderr.write(`${note}\n`)
  process.stdout.write(`${shownAddress(settings.databaseUrl)} is up to date\n`)
  return exitCodes.fine
}

/** Releases the space of removed rows; returns the exit code. */
export async function vacuum(settings: Settings): Promise<number> {
  requireDatabase(settings)
  const { before, after } = await vacuumDatabase(settings, (step) => process.stderr.write(`${step}\n`))
  process.stdout.write(`${settings.databaseUrl} has ${grouped(after)} bytes instead of ${grouped(before)}\n`)
  return exitCodes.fine
}
