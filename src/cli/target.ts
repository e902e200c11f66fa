import { existsSync, realpathSync, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Settings } from '../config.ts'
import { databaseFiles } from '../store/open.ts'
import { partialOf } from '../store/partial-file.ts'
import { exitCodes, Failure, fileFailure, requireFolder } from './failure.ts'

/** The target of an export. */
export interface Target {
  /** Whether it is a separate file, so that standard output is free for messages. */
  readonly isFile: boolean
  write(data: string | Uint8Array): Promise<void>
  /** Commits the export: a file gets its name only now. */
  keep(): Promise<void>
  close(): Promise<void>
}

/** A new file, standard output, or an existing device or pipe. */
export async function openTarget(settings: Settings, file: string | undefined, force: boolean): Promise<Target> {
  if (file === undefined || file === '-') return standardOutput()
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory()) throw new Failure(`${file} is a folder; name a file in it`)
  requireFolder(file)
  const said = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (cause) {
      throw fileFailure(file, cause)
    }
  }
  if (stat !== undefined && !stat.isFile()) return writtenInPlace(await said(open(file, 'w')), said)
  // The target of a symbolic link: the link stays, also that of /dev/stdout.
  const place = stat === undefined ? file : realpathSync(file)
  const partial = partialOf(place)
  for (const written of [file, partial]) refuseDatabase(settings, written)
  if (stat !== undefined && !force) throw new Failure(`${file} exists; --force replaces it`)
  const handle: FileHandle = await said(open(partial, 'w'))
  return {
    isFile: true,
    async write(data) {
      await said(handle.writeFile(data))
    },
    async keep() {
      await said(handle.sync())
      await said(rename(partial, place))
    },
    async close() {
      await handle.close()
      await rm(partial, { force: true })
    },
  }
}

/** Refuses to read or write the database's own files as something else. */
export function refuseDatabase(settings: Settings, file: string): void {
  const at = databaseFiles(settings).findIndex((own) => isSameFile(own, file))
  if (at === 0) throw new Failure(`${file} is the database itself`)
  if (at > 0) throw new Failure(`${file} belongs to the database`)
}

/** Whether two paths lead to the same file, or would once it is created. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
  if (a !== undefined && b !== undefined) return a.dev === b.dev && a.ino === b.ino
  return a === b && placeOf(one) === placeOf(other)
}

/** A missing folder has no links to follow. */
function placeOf(file: string): string {
  const folder = dirname(file)
  return resolve(existsSync(folder) ? realpathSync(folder) : folder, basename(file))
}

/** A device or a pipe: replacing it by a file would take it from its users. */
function writtenInPlace(handle: FileHandle, said: <T>(work: Promise<T>) => Promise<T>): Target {
  return {
    isFile: false,
    write: (data) => said(handle.writeFile(data).catch(unlessNobodyReadsOn)),
    async keep() {},
    close: () => handle.close(),
  }
}

function unlessNobodyReadsOn(cause: NodeJS.ErrnoException): never {
  if (cause.code === 'EPIPE') process.exit(exitCodes.fine)
  throw cause
}

function standardOutput(): Target {
  return {
    isFile: false,
    async write(data) {
      if (data.length === 0) return
      await new Promise<void>((resolve, reject) =>
        process.stdout.write(data, (cause) => (cause ? reject(cause) : resolve())),
      ).catch(unlessNobodyReadsOn)
    },
    async keep() {},
    async close() {},
  }
}
