import type { Settings } from '../../config.ts'
import { DAYS_TO_RESTORE } from '../../model/deal/rules.ts'
import { openMaintenance } from '../../store/open.ts'
import { exitCodes } from '../failure.ts'
import { grouped, showProgress } from '../progress.ts'

const DAY = 86_400_000

/** Removes deals that can no longer be restored, and what is left of customers; returns the exit code. */
export async function purge(settings: Settings, { dryRun }: { readonly dryRun: boolean }): Promise<number> {
  const maintenance = await openMaintenance(settings, { mustExist: true })
  for (const note of maintenance.opening.notes) process.stderr.write(`${note}\n`)
  const before = new Date(Date.now() - DAYS_TO_RESTORE * DAY).toISOString()
  const progress = await showProgress('purging', 'deals')
  const counts = new Map([['deal', 0]])
  let count = 0
  try {
    for await (const { resource, ids } of maintenance.purge(before, { dryRun })) {
      counts.set(resource, (counts.get(resource) ?? 0) + ids.length)
      count += ids.length
      progress.update(count, undefined)
      if (dryRun) process.stdout.write(`${ids.join('\n')}\n`)
    }
  } finally {
    progress.stop()
  }
  const things = [...counts].map(([name, count]) => `${grouped(count)} ${count === 1 ? name : `${name}s`}`)
  const what = `${things.join(' and ')} deleted before ${before}`
  // With --dry-run standard output is the list alone, so that it can be piped.
  if (dryRun) process.stderr.write(`would purge ${what}\n`)
  else process.stdout.write(`purged ${what}\n`)
  return exitCodes.fine
}
