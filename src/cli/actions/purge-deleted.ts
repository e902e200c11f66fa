import type { KeepSettings, Settings } from '../../config.ts'
import { DAYS_TO_RESTORE } from '../../model/nouns/deal/rules.ts'
import { openMaintenance } from '../../store/open.ts'
import type { Maintenance } from '../../store/port/maintenance.ts'
import { exitCodes } from '../failure.ts'
import { counted, showProgress } from '../progress.ts'

const DAY = 86_400_000

/**
 * Removes things that were deleted long ago and, unless it only lists them, events and commands beyond the retention.
 */
export async function purge(settings: Settings, { dryRun = false }: { readonly dryRun?: boolean }): Promise<number> {
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
  const things = [...counts].map(([name, count]) => counted(count, name))
  const what = `${things.join(' and ')} deleted before ${before}`
  // With --dry-run standard output has only the list, so that it can be piped.
  if (dryRun) process.stderr.write(`would purge ${what}\n`)
  else {
    process.stdout.write(`purged ${what}\n`)
    await trim(maintenance, settings.keep)
  }
  return exitCodes.fine
}

/** Trims commands and events, if they are not kept forever. */
async function trim(maintenance: Maintenance, keep: KeepSettings): Promise<void> {
  const before = (time: number | undefined): string | undefined =>
    time === undefined ? undefined : new Date(Date.now() - time).toISOString()
  const asked = { commands: before(keep.commands), events: before(keep.events) }
  if (asked.commands === undefined && asked.events === undefined) return
  const progress = await showProgress('trimming', 'events')
  let counts = { commands: 0, events: 0 }
  try {
    for await (const { commands, events } of maintenance.trim(asked)) {
      counts = { commands: counts.commands + commands, events: counts.events + events }
      progress.update(counts.commands + counts.events, undefined)
    }
  } finally {
    progress.stop()
  }
  const trimmed = [
    asked.commands && `${counted(counts.commands, 'command')} decided before ${asked.commands}`,
    asked.events && `${counted(counts.events, 'event')} before ${asked.events}`,
  ]
  process.stdout.write(`trimmed ${trimmed.filter(Boolean).join(' and ')}\n`)
}
