import {
  createReadStream,
  createWriteStream,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { partialOf } from '../../partial-file.ts'
import type { Restored } from '../../port/maintenance.ts'
import { UnusableDatabase } from '../../port/opening.ts'
import { companions, makeFile, requirePlace } from '../connect/database-file.ts'
import { inspectDatabase } from '../schema/migrate.ts'
import { migrations } from '../schema/migrations.ts'
import { sync } from './backup.ts'

/**
 * Replaces a database that nobody uses by a backup. The copy is checked before it is renamed, in one step: any earlier
 * failure leaves the database unchanged.
 */
export async function restoreSqlite(
  path: string,
  backup: string,
  onProgress: (share: number) => void,
): Promise<Restored> {
  // A symbolic link stays: its target is the database.
  const file = existsSync(path) ? realpathSync(path) : resolve(path)
  requirePlace(file)
  refuseLive(backup)
  // Refuse now, rather than after a long copy.
  takeOver(file)
  const partial = partialOf(file)
  try {
    const before = statSync(backup)
    await copy(backup, partial, onProgress)
    refuseLive(backup)
    refuseChanged(backup, before)
    const version = check(partial, backup)
    const former = takeOver(file)
    if (former.state === 'used') raiseNumbers(partial, former.numbers)
    sync(partial)
    const aside = former.state === 'damaged' ? moveAside(file) : undefined
    renameSync(partial, file)
    sync(dirname(file))
    return { bytes: statSync(file).size, pending: migrations.length - version, former: aside }
  } finally {
    for (const end of ['', ...companions]) rmSync(partial + end, { force: true })
  }
}

/** Without its log a database in use is not complete. */
function refuseLive(backup: string): void {
  // Examining a backup leaves empty ones.
  const logs = ['-wal', '-journal'].map((end) => backup + end)
  const log = logs.find((name) => (statSync(name, { throwIfNoEntry: false })?.size ?? 0) > 0)
  if (log === undefined) return
  throw new UnusableDatabase(`${backup} is no backup but a database in use: ${log} belongs to it; make one with backup`)
}

/** A backup that was changed meanwhile is only partly in the copy. */
function refuseChanged(backup: string, before: Stats): void {
  const { size, mtimeMs } = statSync(backup)
  if (size === before.size && mtimeMs === before.mtimeMs) return
  throw new UnusableDatabase(`${backup} was changed while it was copied; make a backup with backup`)
}

type Former =
  | { readonly state: 'none' | 'damaged' }
  | { readonly state: 'used'; readonly numbers: readonly (readonly [table: string, last: number])[] }

/** Closes the log of the former database; throws `UnusableDatabase` while it is in use. */
function takeOver(file: string): Former {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return { state: 'none' }
  try {
    inspectDatabase(file)
    using db = new DatabaseSync(file, { timeout: 1000 })
    // Only the last connection can leave the log, which also empties and removes it.
    db.exec('PRAGMA journal_mode = DELETE')
    const rows = db.prepare('SELECT name, seq FROM sqlite_sequence').all()
    return { state: 'used', numbers: rows.map(({ name, seq }) => [String(name), Number(seq)] as const) }
  } catch (cause) {
    const { message } = cause as Error
    if (/locked|busy/i.test(message)) throw new UnusableDatabase(`${file} is in use; stop the service first`, { cause })
    return { state: 'damaged' }
  }
}

/** The new file keeps its mode: readable by its owner only. */
async function copy(from: string, to: string, onProgress: (share: number) => void): Promise<void> {
  const { size } = statSync(from)
  rmSync(to, { force: true })
  makeFile(to)
  let done = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length
      onProgress(done / size)
      next(null, chunk)
    },
  })
  await pipeline(createReadStream(from), counted, createWriteStream(to, { flags: 'r+' }))
}

/** The version of its schema; throws `UnusableDatabase` with the name that the operator gave. */
function check(partial: string, backup: string): number {
  try {
    inspectDatabase(partial)
    using db = new DatabaseSync(partial)
    const found = String(db.prepare('PRAGMA integrity_check(1)').get()?.integrity_check)
    if (found !== 'ok') throw new UnusableDatabase(`${partial} is damaged: ${found}`)
    return Number(db.prepare('PRAGMA user_version').get()?.user_version)
  } catch (cause) {
    throw new UnusableDatabase((cause as Error).message.replaceAll(partial, backup), { cause })
  }
}

/** New events get numbers after all that readers of the feed have seen, and new customers get unused ids. */
function raiseNumbers(partial: string, numbers: readonly (readonly [string, number])[]): void {
  using db = new DatabaseSync(partial)
  const raise = db.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1')
  // A table that had no row before the backup has no number there.
  const begin = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)')
  for (const [table, last] of numbers) if (raise.run(table, last).changes === 0) begin.run(table, last)
}

/** A damaged database is kept, and so are earlier ones; its log must not be applied to another. */
function moveAside(file: string): string {
  const aside = firstFree(`${file}.damaged`)
  for (const end of [...companions, '']) if (existsSync(file + end)) renameSync(file + end, aside + end)
  return aside
}

/** `x`, `x.2`, `x.3`, … */
function firstFree(name: string, number = 1): string {
  const numbered = number === 1 ? name : `${name}.${number}`
  const isTaken = ['', ...companions].some((end) => existsSync(numbered + end))
  return isTaken ? firstFree(name, number + 1) : numbered
}
