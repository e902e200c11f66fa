import { statSync } from 'node:fs'
import type { Settings } from '../../config.ts'
import { backUpDatabase, requireDatabase } from '../../store/open.ts'
import { exitCodes, Failure, fileFailure, requireFolder } from '../failure.ts'
import { grouped, showProgress } from '../progress.ts'
import { refuseDatabase } from '../target.ts'

/** Copies the database; returns the exit code. */
export async function backup(
  settings: Settings,
  file: string,
  { force }: { readonly force: boolean },
): Promise<number> {
  requireDatabase(settings)
  checkTarget(settings, file, force)
  const progress = await showProgress('backing up', '%')
  try {
    const notes = await backUpDatabase(settings, file, (share) => progress.update(Math.floor(share * 100), share))
    progress.stop()
    for (const note of notes) process.stderr.write(`${note}\n`)
  } catch (cause) {
    throw fileFailure(file, cause)
  } finally {
    progress.stop()
  }
  process.stdout.write(`${file} holds the whole database, ${grouped(statSync(file).size)} bytes\n`)
  return exitCodes.fine
}

function checkTarget(settings: Settings, file: string, force: boolean): void {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat?.isDirectory()) throw new Failure(`${file} is a folder; name a file in it`)
  if (stat !== undefined && !stat.isFile()) throw new Failure(`${file} is a device or a pipe; name a file`)
  requireFolder(file)
  refuseDatabase(settings, file)
  if (stat !== undefined && !force) throw new Failure(`${file} exists; --force replaces it`)
}
