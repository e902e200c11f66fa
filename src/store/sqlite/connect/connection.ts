import { DatabaseSync } from 'node:sqlite'

/** Milliseconds that a connection waits for another connection's lock. */
export const BUSY_TIMEOUT = 5000

/** Deleted content is overwritten in pages that are written anyway, so that no secret stays in the file. */
export const ERASING = 'PRAGMA secure_delete = FAST'

/** Opens a connection with the common settings. A read-only one may still have temporary tables. */
export function connect(path: string, { readOnly = false } = {}): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT, enableForeignKeyConstraints: true })
  // FULL: an acknowledged write survives a power cut. In WAL mode, NORMAL does not sync at commit.
  db.exec(`${ERASING}; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
    PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -16384;`)
  return db
}
