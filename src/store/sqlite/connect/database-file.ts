import { accessSync, chmodSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UnusableDatabase } from '../../port/opening.ts'

/** The files that SQLite may keep next to a database, with the database's own mode. */
export const companions = ['-wal', '-shm', '-journal'] as const

const OWNER_ALONE = 0o600

/** Throws `UnusableDatabase` if the path is not a file, or none can be created. */
export function requirePlace(path: string): void {
  requireFolder(dirname(path))
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw new UnusableDatabase(`${path} is a folder, not a database file`)
  // SQLite would open a device, and its mode would be narrowed for everybody.
  if (found !== undefined && !found.isFile()) throw new UnusableDatabase(`${path} is a device or a pipe; name a file`)
}

function requireFolder(folder: string): void {
  try {
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found === undefined) throw new UnusableDatabase(`the folder ${folder} does not exist; make it first`)
    if (!found.isDirectory()) throw new UnusableDatabase(`${folder} is not a folder`)
    accessSync(folder, constants.W_OK)
  } catch (cause) {
    if (cause instanceof UnusableDatabase) throw cause
    throw new UnusableDatabase(`the folder ${folder} cannot be written`, { cause })
  }
}

/**
 * The address that reads a database without creating the files of a write-ahead log next to it, so that one that cannot
 * be used stays unchanged.
 */
export function untouchedAddress(path: string): URL {
  const address = pathToFileURL(path)
  if (!existsSync(`${path}-wal`) && !isInterrupted(path)) address.searchParams.set('immutable', '1')
  return address
}

/** Whether a process of an earlier release was killed in an import, whose journal must be rolled back first. */
export const isInterrupted = (path: string): boolean => existsSync(`${path}-journal`)

/** Creates an empty file that only its owner may read. SQLite would follow the umask, which usually lets everybody read. */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ALONE))
  } catch (cause) {
    // Another process may have created it first.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}

/** Removes other users' rights to a database, which contains webhook secrets. Returns a line for each change. */
export function narrowMode(path: string): readonly string[] {
  if (process.platform === 'win32') return []
  const wide = [path, ...companions.map((end) => path + end)].filter((file) => modeOf(file) & 0o077)
  const [first] = wide
  if (first === undefined) return []
  const found = `${first} was open to other users of this machine (mode 0${modeOf(first).toString(8)})`
  try {
    for (const file of wide) chmodSync(file, OWNER_ALONE)
    return [`${found}; it is 0600 now`]
  } catch (cause) {
    return [`${found}, and its mode cannot be changed: ${(cause as Error).message}`]
  }
}

const modeOf = (path: string): number => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
