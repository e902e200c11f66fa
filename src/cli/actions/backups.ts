import { statSync } from 'node:fs'
import type { Settings } from '../../config.ts'
import { backUpDatabase, requireDatabase, restoreDatabase } from '../../store/open.ts'
import { isPostgres } from '../../values/database-address.ts'
import { exitCodes, Failure, fileFailure, requireFolder } from '../failure.ts'
import { counted, grouped, showProgress } from '../progress.ts'
import { refuseDatabase } from '../target.ts'

/** Copies the database; returns the exit code. */
export async function backup(
  settings: Settings,
  file: string,
  { force = false }: { readonly force?: boolean },
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
  process.stdout.write(`${file} contains the whole database, ${grouped(statSync(file).size)} bytes\n`)
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

/** Replaces the database by a backup; returns the exit code. */
export async function restore(
  settings: Settings,
  file: string,
  { force = false }: { readonly force?: boolean },
): Promise<number> {
  const { databaseUrl } = settings
  if (!isPostgres(databaseUrl)) checkFiles(settings, file, force)
  const progress = await showProgress('restoring', '%')
  try {
    const { bytes, pending, former } = await restoreDatabase(settings, file, (share) =>
      progress.update(Math.floor(share * 100), share),
    )
    progress.stop()
    if (former !== undefined) process.stderr.write(`the damaged database is kept as ${former}\n`)
    if (pending > 0)
      process.stderr.write(`it is of an older release: the next start makes ${counted(pending, 'migration')}\n`)
    process.stdout.write(`restored ${databaseUrl} from ${file}, ${grouped(bytes)} bytes\n`)
    return exitCodes.fine
  } catch (cause) {
    throw fileFailure(file, cause)
  } finally {
    progress.stop()
  }
}

function checkFiles(settings: Settings, file: string, force: boolean): void {
  const { databaseUrl } = settings
  const backup = statSync(file, { throwIfNoEntry: false })
  if (backup === undefined) throw new Failure(`${file} does not exist`)
  if (!backup.isFile()) throw new Failure(`${file} is not a file`)
  const database = statSync(databaseUrl, { throwIfNoEntry: false })
  if (database === undefined) return
  refuseDatabase(settings, file)
  if (database.size > 0 && !force) throw new Failure(`${databaseUrl} exists; --force replaces it`)
}
