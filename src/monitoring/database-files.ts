import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isPostgres } from '../values/database-address.ts'

/** The bytes of a database that is a file, of the log beside it, and what is left on its disk. */
export interface DatabaseFiles {
  readonly database: number
  readonly log: number
  readonly free: number
}

/** Undefined for PostgreSQL, whose own exporter tells more, and where the disk cannot be asked. */
export async function databaseFiles(databaseUrl: string): Promise<DatabaseFiles | undefined> {
  if (isPostgres(databaseUrl)) return undefined
  const sizeOf = (path: string): Promise<number> =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    )
  try {
    const [database, log, { bavail, bsize }] = await Promise.all([
      sizeOf(databaseUrl),
      sizeOf(`${databaseUrl}-wal`),
      statfs(dirname(databaseUrl)),
    ])
    return { database, log, free: bavail * bsize }
  } catch {
    return undefined
  }
}
