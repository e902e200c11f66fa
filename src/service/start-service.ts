import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { makeSetUpCode } from '../access/set-up.ts'
import { BadSetting, type LoggedRequests, type Settings } from '../config.ts'
import { openDoors } from '../doors/doors.ts'
import { serveDoors } from '../doors/serve-doors.ts'
import { startDeliveries } from '../events/deliveries.ts'
import { type DeliveryPace, deliveryPace } from '../events/delivery-pace.ts'
import { startMoves } from '../events/part-moves.ts'
import type { MigrationServer } from '../http/server/migration-server.ts'
import { AUDIT_KEPT } from '../model/nouns/audit/record.ts'
import { IDLE_SESSION } from '../model/nouns/user/session.ts'
import { correctPersons } from '../store/correct-persons.ts'
import { fillIndexes } from '../store/fill-indexes.ts'
import { openStore } from '../store/open.ts'
import type { Opening } from '../store/port/opening.ts'
import { type Store, StoreUnavailable } from '../store/port/store.ts'
import { tracedStore } from '../store/traced-store.ts'
import { isPostgres } from '../values/database-address.ts'
import { isLoopback } from '../values/loopback.ts'
import { patientTimer } from '../values/patient-timer.ts'
import { hostAndPort } from '../values/shown-address.ts'
import { follow, type Loop } from '../work/follow.ts'
import { tellDeliveries } from './tell-deliveries.ts'

export interface RunningService {
  readonly url: string
  readonly store: Store
  /** Logs every request, or those that LOG_REQUESTS selects; returns which are logged now. */
  logAll(isWanted: boolean): LoggedRequests
  /**
   * Finishes the requests in flight, then closes the store. For the given milliseconds before that, the service still
   * accepts requests but is not ready, so that a load balancer can stop sending them; for the same time again it
   * answers requests on open connections, and ends each with its answer.
   */
  close(grace?: number): Promise<void>
}

/** After this, incomplete requests and unread answers are cut off: two seconds are left to close the store. */
const LONGEST_FINISH = 5000
/** The part of this for answering requests whose wait was ended. */
const ANSWERING = 2000

/**
 * Starts the whole service; `onFatal` is called when its database can no longer be trusted, `onOpened` when the database
 * is open, also if the start fails after that.
 */
export async function startService(
  settings: Settings,
  logger: Logger,
  onFatal: (cause: Error) => void,
  pace: DeliveryPace = { ...deliveryPace, keep: settings.keep.deliveries },
  onOpened: (opening: Opening) => void = () => {},
): Promise<RunningService> {
  const migrating = tellMigration(settings, logger)
  // The store's threads start while the rest is loaded.
  const [opened, { createService, version }, { endpointsOf }, { buildServer }, tracing] = await Promise.all([
    openStore(settings, onFatal, (line) => logger.warn(line), migrating.step).finally(migrating.close),
    import('./create-service.ts'),
    import('./endpoints.ts'),
    import('../http/server/server.ts'),
    settings.traces && import('../monitoring/traces.ts'),
  ])
  onOpened(opened.opening)
  const traces = settings.traces && tracing?.openTraces(settings.traces, version, (message) => logger.warn({}, message))
  const store =
    traces === undefined
      ? opened
      : tracedStore(opened, isPostgres(settings.databaseUrl) ? 'postgresql' : 'sqlite', traces.part)
  const service = createService(store, settings, logger, traces)
  const hasNoUser = (await store.accounts.users()).length === 0
  const app = buildServer(endpointsOf, service, serveDoors(openDoors(settings), service))
  try {
    if (hasNoUser) refuseWithoutUser(settings)
    await app.listen({ host: settings.host, port: settings.port, backlog: 1024 })
    if (hasNoUser && settings.setUp) await tellSetUpCode(store, logger)
  } catch (cause) {
    await store.close()
    throw cause
  }
  const { port } = app.server.address() as { port: number }
  const loops = [
    startDeliveries(store, {
      allowPrivate: settings.webhookAllowPrivate,
      userAgent: `Dealdesk/${service.version}`,
      onFault: waitTeller(logger, 'deliveries have to wait'),
      pace,
      onResult: tellDeliveries(service.monitor, logger),
      beginSpan: traces && (() => traces.begin('client')),
    }),
    fillIndexes(store, waitTeller(logger, 'the index of a field has to wait')),
    startMoves(store, waitTeller(logger, 'things that leave a part of the model have to wait')),
    correctPersons(store, waitTeller(logger, 'corrections of persons have to wait')),
    trimAccounts(store),
    trimImports(store),
  ]
  return {
    url: `http://${hostAndPort({ host: settings.host, port })}`,
    store: service.store,
    logAll: service.requestLog.logAll,
    async close(grace = 0) {
      service.state.stopping = true
      await pause(grace)
      // Not earlier: a client that had to reconnect for each request would wait to be accepted until the end.
      service.state.closing = true
      const ended = stopListening(app.server)
      await Promise.race([ended, pause(grace)])
      // Requests that wait for an unresponsive database get an answer, rather than being cut off.
      let finished = patientTimer(LONGEST_FINISH - ANSWERING, () => {
        store.giveUp()
        finished = patientTimer(ANSWERING, () => app.server.closeAllConnections())
      })
      await Promise.all([app.close(), ended, ...loops.map((loop) => loop.close())])
      finished()
      await traces?.close()
      await store.close()
    },
  }
}

/** At any LOG_LEVEL: without the code nobody can sign in. */
async function tellSetUpCode({ accounts }: Store, logger: Logger): Promise<void> {
  const made = await makeSetUpCode(accounts, Date.now())
  const told = logger.child({}, { level: 'warn' })
  if ('code' in made) told.warn(made, 'not set up yet: open /set-up with this code')
  else told.warn(made, 'not set up yet: open /set-up with the code that was logged then, by this or another instance')
}

/** Logs the steps of a migration, and answers meanwhile that the service is not ready yet. */
function tellMigration(settings: Settings, logger: Logger) {
  let server: Promise<MigrationServer> | undefined
  return {
    step(text: string): void {
      logger.info({ step: text }, 'migrating the database')
      server ??= import('../http/server/migration-server.ts').then(({ answerWhileMigrating }) =>
        answerWhileMigrating(settings, (err) =>
          logger.warn({ err }, 'health cannot be asked for during the migration'),
        ),
      )
      void server.then((open) => open.step(text))
    },
    close: async (): Promise<void> => (await server)?.close(),
  }
}

/** Logs why work waits, once for each reason and minute: they are retried twice a second. */
function waitTeller(logger: Logger, message: string): (cause: unknown) => void {
  let told = { reason: '', at: Number.NEGATIVE_INFINITY }
  return (cause) => {
    const isUnavailable = cause instanceof StoreUnavailable
    if (isUnavailable && cause.isTold) return
    const reason = String(cause)
    const now = performance.now()
    if (reason === told.reason && now - told.at < MINUTE) return
    told = { reason, at: now }
    logger.warn(isUnavailable ? { reason: cause.message } : { err: cause }, message)
  }
}

const MINUTE = 60_000

/**
 * New connections are refused from now on, and open ones stay: a proxy may have sent a change over one, which it could
 * not repeat. `http.Server.close` would end idle connections at once. decisions/0015. Resolves when the last one has
 * ended.
 */
const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    Server.prototype.close.call(server, () => resolve())
  })

const HOUR = 3_600_000

/** Removes, once an hour, what has ended: sessions, invitations, kept forms, and old entries of the audit. */
const trimAccounts = ({ accounts }: Store): Loop =>
  trimEvery(HOUR, (now) => {
    const ago = (milliseconds: number): string => new Date(now - milliseconds).toISOString()
    return accounts.trim({ now: ago(0), idleSince: ago(IDLE_SESSION), auditBefore: ago(AUDIT_KEPT) })
  })

/** Removes old uploads; more often, since it announces imports whose process died. */
const trimImports = ({ imports }: Store): Loop => trimEvery(MINUTE, (now) => imports.trim(new Date(now).toISOString()))

/** A failure is not reported: nobody waits for it, and it is repeated soon. */
const trimEvery = (look: number, trim: (now: number) => Promise<void>): Loop =>
  follow({ step: () => trim(Date.now()), pace: { first: look, look, retry: 1000 }, onFault: () => {} })

/** The command as it was started: compiled in the package, directly in a checkout. */
const commandAsStarted = (): string => (import.meta.url.endsWith('.ts') ? 'npm start --' : 'dealdesk')

/** Throws `BadSetting` for a service without users that others could reach. */
export function refuseWithoutUser({ host, oidc, setUp }: Settings, isNew = false): void {
  if (isLoopback(host) || oidc !== undefined || setUp) return
  throw new BadSetting(
    `HOST=${host} can be reached by others, and there is no user yet: add one with ${commandAsStarted()} user add NAME --role admin${isNew ? ' --new-database' : ''}`,
  )
}
