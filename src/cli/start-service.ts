import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../config.ts'
import { endpoints } from '../http/endpoints.ts'
import { buildServer } from '../http/server.ts'
import { serviceOver } from '../http/service.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'

export interface RunningService {
  readonly url: string
  readonly store: Store
  /** Finishes the requests in flight, then closes the store. */
  close(): Promise<void>
}

/** The whole service, listening; `onFatal` is told when its database can no longer be trusted. */
export async function startService(
  settings: Settings,
  logger: FastifyBaseLogger,
  onFatal: (cause: Error) => void,
): Promise<RunningService> {
  const store = await openStore(settings, onFatal)
  const app = buildServer(endpoints, serviceOver(store, settings), logger)
  await app.listen({ host: settings.host, port: settings.port, backlog: 1024 })
  const { port } = app.server.address() as { port: number }
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
  return {
    url: `http://${host}:${port}`,
    store,
    async close() {
      await app.close()
      await store.close()
    },
  }
}
