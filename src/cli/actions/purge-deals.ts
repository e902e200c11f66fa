import type { Settings } from '../../config.ts'
import { DAYS_TO_RESTORE } from '../../model/deal/conditions.ts'
import { openMaintenance } from '../../store/open.ts'
import { exitCodes } from '../failure.ts'
import { grouped, showProgress } from '../progress.ts'

const DAY = 86_400_000

/** Removes deals that can no longer be restored; returns the exit code. */
export async function purge(settings: Settings, { dryRun }: { readonly dryRun: boolean }): Promise<number> {
  const maintenance = await openMaintenance(settings, { mustExist: true })
  for (const note of maintenance.opening.notes) process.stderr.write(`${note}\n`)
  const before = new Date(Date.now() - DAYS_TO_RESTORE * DAY).toISOString()
  const progress = await showProgress('purging', 'deals')
  let count = 0
  try {
    for await (const ids of maintenance.purge(before, { dryRun })) {
      count += ids.length
      progress.update(count, undefined)
      if (dryRun) process.stdout.write(`${ids.join('\n')}\n`)
    }
  } finally {
    progress.stop()
  }
  const deals = `${grouped(count)} ${count === 1 ? 'deal' : 'deals'} deleted before ${before}`
  // With --dry-run standard output is the list alone, so that it can be piped.
  if (dryRun) process.stderr.write(`would purge ${deals}\n`)
  else process.stdout.write(`purged ${deals}\n`)
  return exitCodes.fine
}
