import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isPostgres } from '../values/database-address.ts'

/** The size in bytes of a database file and its log, and the free space on its disk. */
export interface DatabaseFiles {
  readonly database: number
  readonly log: number
  readonly free: number
}

/** Undefined for PostgreSQL, whose own exporter reports more, and if the disk cannot be examined. */
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
