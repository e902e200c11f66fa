import { existsSync } from 'node:fs'
import type { Logger } from 'pino'
import { type Settings, settingNames } from '../../config.ts'
import { lastLines } from '../../monitoring/log-lines.ts'
import { openLogger } from '../../monitoring/logger.ts'
import { type RunningService, refuseWithoutUser, startService } from '../../service/start-service.ts'
import { examineDatabase } from '../../store/open.ts'
import { isPostgres } from '../../values/database-address.ts'
import { patientTimer } from '../../values/patient-timer.ts'
import { shownAddress } from '../../values/shown-address.ts'
import { addressFailure } from '../failure.ts'

const LONGEST_STOP = 9000
/** How long a load balancer has to notice that the service is no longer ready. */
const GRACE = 1000

/** Runs the service until a signal stops it. */
export async function serve(settings: Settings, { demo = false }: { readonly demo?: boolean }): Promise<undefined> {
  // A start that fails leaves no new database behind, nor one that the next start could not fill.
  const isNew = isNewFile(settings)
  if (demo || isNew) await refuseEarly(settings, isNew)
  let opening = demo ? await (await import('./fill-demo.ts')).fillDemo(settings) : undefined
  const logger = openLogger(settings.logLevel)
  let service: RunningService | undefined
  let stopping = false
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return
    stopping = true
    logger.info({ signal }, 'stopping')
    patientTimer(LONGEST_STOP, () => process.exit(1))
    await service?.close(GRACE)
    await lastLines()
    process.exit(0)
  }
  // Before the start, because a signal may follow the ready line at once.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))
  for (const defect of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(defect, (cause) => {
      logger.fatal({ err: cause }, 'a defect; ending')
      void lastLines().then(() => process.exit(1))
    })
  }
  const onFatal = (cause: Error): void => {
    logger.fatal({ err: cause }, 'the database can no longer be trusted; ending')
    // Waiting requests are answered before the process exits.
    setTimeout(() => process.exit(1), 200)
  }
  // Report a new database, so that a mistyped path is noticed; at the next start it is not new.
  const made = (): string => (opening?.isNew ? ` (new database ${shownAddress(settings.databaseUrl)})` : '')
  try {
    service = await startService(settings, logger, onFatal, undefined, (found) => {
      opening ??= found
    })
  } catch (cause) {
    const failure = addressFailure(settings, cause)
    if (failure instanceof Error) failure.message += made()
    throw failure
  }
  for (const note of opening?.notes ?? []) logger.warn(note)
  const caution = opening?.caution === undefined ? '' : ` (${opening.caution})`
  const ignored = Object.keys(process.env).filter((name) => name.startsWith('OTEL_') && !settingNames().has(name))
  if (ignored.length > 0) logger.warn({ settings: ignored }, 'these settings of OpenTelemetry are not supported here')
  switchLogging(service, logger)
  process.stdout.write(`Dealdesk is ready at ${service.url}${made()}${caution}\n`)
  return undefined
}

/** `kill -USR2` switches the logging of every request on and off, for a short look without a restart. */
function switchLogging({ logAll }: RunningService, logger: Logger): void {
  let isAll = false
  process.on('SIGUSR2', () => {
    isAll = !isAll
    logger.warn({ requests: logAll(isAll) }, 'other requests are logged from now on')
  })
}

const isNewFile = ({ databaseUrl }: Settings): boolean => !(isPostgres(databaseUrl) || existsSync(databaseUrl))

/** Fails as the start would after it has made or filled the database. */
async function refuseEarly(settings: Settings, isNew: boolean): Promise<void> {
  const hasUsers = isNew ? false : (await examineDatabase(settings, { isThorough: false })).hasUsers
  if (hasUsers === false) refuseWithoutUser(settings, isNew)
  const problem = await (await import('./examine.ts')).addressProblem(settings)
  if (problem !== undefined) throw addressFailure(settings, problem)
}
