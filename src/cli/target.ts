import { statSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { Failure, fileFailure, requireFolder } from './failure.ts'

/** The target of an export. */
export interface Target {
  readonly isFile: boolean
  write(data: string | Uint8Array): Promise<void>
  /** Commits the export: a file gets its name only now. */
  keep(): Promise<void>
  close(): Promise<void>
}

/** A new file, or standard output. */
export async function openTarget(file: string | undefined, force: boolean): Promise<Target> {
  if (file === undefined || file === '-') return standardOutput()
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory()) throw new Failure(`${file} is a folder; name a file in it`)
  if (stat?.isFile() && !force) throw new Failure(`${file} exists; --force replaces it`)
  requireFolder(file)
  const partial = `${file}.partial`
  const said = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (cause) {
      throw fileFailure(file, cause)
    }
  }
  const handle: FileHandle = await said(open(partial, 'w'))
  return {
    isFile: true,
    async write(data) {
      await said(handle.writeFile(data))
    },
    async keep() {
      await said(handle.sync())
      await said(rename(partial, file))
    },
    async close() {
      await handle.close()
      await rm(partial, { force: true })
    },
  }
}

function standardOutput(): Target {
  // The reader may close the pipe early, as `head` does: that is no failure.
  process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
    if (cause.code === 'EPIPE') process.exit(0)
    throw cause
  })
  return {
    isFile: false,
    async write(data) {
      if (data.length > 0) await new Promise<void>((resolve) => process.stdout.write(data, () => resolve()))
    },
    async keep() {},
    async close() {},
  }
}
