import { pino } from 'pino'
import type { Settings } from '../config.ts'
import { endpoints } from '../http/endpoints.ts'
import { buildServer } from '../http/server.ts'
import { serviceOver } from '../http/service.ts'
import { openStore } from '../store/open.ts'

const LONGEST_STOP = 9000

/** Runs the service until it is told to stop. */
export async function serve(settings: Settings): Promise<void> {
  const logger = pino({ level: settings.logLevel }, pino.destination(2))
  const store = await openStore(settings, (cause) => {
    logger.fatal({ err: cause }, 'the database can no longer be trusted; ending')
    // The requests that were waiting are told before the process ends.
    setTimeout(() => process.exit(1), 200)
  })
  const app = buildServer(endpoints, serviceOver(store, settings), logger)
  await app.listen({ host: settings.host, port: settings.port, backlog: 1024 })
  const { port } = app.server.address() as { port: number }
  process.stdout.write(
    `Dealdesk is ready at http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}\n`,
  )

  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), LONGEST_STOP).unref()
    await app.close()
    await store.close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
}
