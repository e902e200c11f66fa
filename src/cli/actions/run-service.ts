import type { Settings } from '../../config.ts'
import { collectStart } from '../../garbage.ts'
import { openLogger } from '../../monitoring/logger.ts'
import { shownAddress } from '../shown-address.ts'
import { type RunningService, startService } from '../start-service.ts'

const LONGEST_STOP = 9000
/** How long a load balancer has to notice that the service is no longer ready. */
const GRACE = 1000

/** Runs the service until a signal stops it. */
export async function serve(settings: Settings, { demo }: { readonly demo: boolean }): Promise<void> {
  const filled = demo ? await (await import('./fill-demo.ts')).fillDemo(settings) : undefined
  const logger = openLogger(settings.logLevel)
  let service: RunningService | undefined
  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), LONGEST_STOP).unref()
    await service?.close(GRACE)
    process.exit(0)
  }
  // Before the start, because a signal may follow the ready line at once.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  for (const defect of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(defect, (cause) => {
      logger.fatal({ err: cause }, 'a defect; ending')
      process.exit(1)
    })
  }
  service = await startService(settings, logger, (cause) => {
    logger.fatal({ err: cause }, 'the database can no longer be trusted; ending')
    // Waiting requests are answered before the process exits.
    setTimeout(() => process.exit(1), 200)
  })
  const { isNew, notes } = filled ?? service.store.opening
  for (const note of notes) logger.warn(note)
  // Say so when a new database is created, so that a mistyped path is noticed.
  const made = isNew ? ` (new database ${shownAddress(settings.databaseUrl)})` : ''
  process.stdout.write(`Dealdesk is ready at ${service.url}${made}\n`)
  collectStart()
}
