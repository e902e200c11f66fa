import { closeSync, openSync, readSync } from 'node:fs'

/** How often a database in WAL mode was committed to and its log begun anew, ever since the log was made. */
export interface WalCounts {
  readonly commits: number
  readonly restarts: number
}

/**
 * Asked of the database itself: the header of its shared-memory file counts transactions (iChange, at 8), and the
 * log's first salt (at 32, big-endian) grows by one when the log is begun anew. https://sqlite.org/walformat.html §2.1
 */
export function walCounts(database: string): WalCounts {
  const header = Buffer.alloc(48)
  const file = openSync(`${database}-shm`, 'r')
  readSync(file, header, 0, header.length, 0)
  closeSync(file)
  return { commits: header.readUInt32LE(8), restarts: header.readUInt32BE(32) }
}

/**
 * SQLite with synchronous=FULL syncs the log at each commit; before a log begins anew it syncs the log, what was
 * copied into the database, and then the log's new header.
 */
export const syncsOf = (before: WalCounts, after: WalCounts): number =>
  after.commits - before.commits + 3 * (after.restarts - before.restarts)
