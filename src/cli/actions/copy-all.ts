import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { requireDatabaseAddress, type Settings } from '../../config.ts'
import { openTransfer } from '../../store/open.ts'
import { copyDatabase } from '../../store/transactions/copy-database.ts'
import { isPostgres } from '../../values/database-address.ts'
import { shownAddress } from '../../values/shown-address.ts'
import { exitCodes, Failure } from '../failure.ts'
import { counted, showProgress } from '../progress.ts'

/** Copies a database into an empty one of either kind; returns the exit code. */
export async function copy(_settings: Settings, source: string, target: string): Promise<number> {
  requireDatabaseAddress('SOURCE', source)
  requireDatabaseAddress('TARGET', target)
  if (!isPostgres(source) && statSync(source, { throwIfNoEntry: false }) === undefined) {
    throw new Failure(`there is no database at ${source}`)
  }
  if (source === target || (!isPostgres(source) && !isPostgres(target) && resolve(source) === resolve(target))) {
    throw new Failure('SOURCE and TARGET are the same database')
  }
  const from = await openTransfer(source, 'out')
  try {
    const to = await openTransfer(target, 'in')
    try {
      const progress = await showProgress('copying', 'rows')
      let shown = 'copying'
      const result = await copyDatabase(from, to, (done, all, phase) => {
        if (phase !== shown) progress.phase(phase)
        shown = phase
        progress.update(done, all === 0 ? undefined : done / all)
      }).finally(() => progress.stop())
      if ('copied' in result) {
        for (const { table, rows, checksum } of result.copied) {
          process.stdout.write(`${table}: ${counted(rows, 'row')}, sha256 ${checksum}\n`)
        }
        return exitCodes.fine
      }
      throw new Failure(
        result.refused === 'not empty'
          ? `${shownAddress(target)} is not empty (${result.table}: ${counted(result.rows, 'row')}); copy into a new database`
          : `${shownAddress(target)} read back other ${result.table} than were written; nothing was kept`,
      )
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}
