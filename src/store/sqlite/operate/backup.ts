import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup } from 'node:sqlite'
import { partialOf } from '../../partial-file.ts'
import { connect } from '../connect/connection.ts'
import { makeFile, narrowMode, requirePlace } from '../connect/database-file.ts'
import { inspectDatabase } from '../schema/migrate.ts'
import { eraseFreePages } from './erase-free-pages.ts'

/** Pages at a time: 4 MiB. */
const RATE = 1024

/**
 * Copies a database unchanged: an old schema stays old, so that the copy works with the previous release. It is renamed
 * to its target only when it is complete and synced; only its owner may read it.
 */
export async function backUpSqlite(
  path: string,
  target: string,
  onProgress: (share: number) => void,
): Promise<readonly string[]> {
  requirePlace(path)
  inspectDatabase(path)
  const notes = narrowMode(path)
  const partial = partialOf(target)
  const db = connect(path)
  try {
    rmSync(partial, { force: true })
    makeFile(partial)
    // One snapshot for the whole copy: without it, a write of another process would restart the copy.
    db.exec('BEGIN')
    db.prepare('SELECT count(*) FROM sqlite_schema').get()
    await backup(db, partial, {
      rate: RATE,
      progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / Math.max(totalPages, 1)),
    })
    eraseFreePages(partial)
    sync(partial)
    renameSync(partial, target)
    sync(dirname(target))
    onProgress(1)
    return notes
  } finally {
    db.close()
    rmSync(partial, { force: true })
  }
}

/** Makes a file or the names in a folder durable. */
export function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
