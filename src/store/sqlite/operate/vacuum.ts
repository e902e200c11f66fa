import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Schema } from '../../../model/declaration/schema.ts'
import type { Vacuumed } from '../../port/maintenance.ts'
import { type OnStep, UnusableDatabase } from '../../port/opening.ts'
import { ERASING } from '../connect/connection.ts'
import { prepareDatabase } from '../schema/migrate.ts'

/** Rewrites a database that nobody uses, without the space of removed rows, and rebuilds the search index. */
export function vacuumSqlite(path: string, schema: Schema, onStep: OnStep): Vacuumed {
  prepareDatabase(path, schema)
  const before = statSync(path).size
  vacuum(path, onStep)
  // Rows may have new numbers now, which the search index has to follow.
  prepareDatabase(path, schema, onStep)
  return { before, after: statSync(path).size }
}

function vacuum(path: string, onStep: OnStep): void {
  using db = new DatabaseSync(path, { timeout: 1000 })
  db.exec(ERASING)
  try {
    // Only the last connection can leave the log, and none may open before the database is rewritten.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE')
  } catch (cause) {
    throw new UnusableDatabase(`${path} is in use; stop the service first`, { cause })
  }
  onStep('writing the database anew')
  db.exec('VACUUM')
}
