import { createServer } from 'node:net'
import { BadSetting, type Environment, readSettings, type Settings, settingNames } from '../../config.ts'
import { openDoors } from '../../doors/doors.ts'
import { examineDatabase } from '../../store/open.ts'
import { type ExaminationOptions, type Finding, fault, note, ok } from '../../store/port/examination.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { isLoopback } from '../../values/loopback.ts'
import { hostAndPort, reachedAt } from '../../values/shown-address.ts'
import { exitCodes } from '../failure.ts'

/** Prints a line for each check; returns the exit code. */
export async function doctor(environment: Environment, release: string, options: ExaminationOptions): Promise<number> {
  const findings: Finding[] = []
  const add = (...found: readonly Finding[]): void => {
    for (const { about, state, text } of found) process.stdout.write(`${state.padEnd(6)}${about}: ${text}\n`)
    findings.push(...found)
  }
  add(versionFinding(release))
  const settings = settingsOf(environment)
  if ('problems' in settings) add(...settings.problems.map((problem) => fault('settings', problem)))
  else {
    add(...settingsFindings(environment, settings))
    const { findings: ofDatabase, hasUsers } = await examineDatabase(settings, options)
    add(...ofDatabase, ...userFindings(settings, hasUsers), ...proxyFindings(settings))
    add(await addressFinding(settings))
  }
  const faults = findings.filter(({ state }) => state === 'fault').length
  if (faults > 0) process.stderr.write(`dealdesk: ${faults === 1 ? 'one fault' : `${faults} faults`} found\n`)
  return faults === 0 ? exitCodes.fine : exitCodes.failed
}

/** Older versions of SQLite could damage a write-ahead log. */
const OLDEST_SQLITE = [3, 51, 3]

function versionFinding(release: string): Finding {
  const { node, sqlite = '0' } = process.versions
  const parts = sqlite.split('.').map(Number)
  const differs = OLDEST_SQLITE.findIndex((each, at) => each !== (parts[at] ?? 0))
  const isOld = differs !== -1 && (parts[differs] ?? 0) < (OLDEST_SQLITE[differs] ?? 0)
  const told = `Dealdesk ${release}, Node ${node}, SQLite ${sqlite}`
  return isOld ? fault('versions', `${told}; SQLite ${OLDEST_SQLITE.join('.')} is needed`) : ok('versions', told)
}

/** Every fault that would stop a start: if a value is unusable, the others are read without it. */
function settingsOf(environment: Environment): Settings | { readonly problems: readonly string[] } {
  try {
    const settings = readSettings(environment)
    openDoors(settings)
    return settings
  } catch (cause) {
    if (!(cause instanceof BadSetting)) throw cause
    const [, unusable] = /^(\w+)=/.exec(cause.message) ?? []
    const rest = unusable === undefined ? undefined : settingsOf({ ...environment, [unusable]: undefined })
    return { problems: [cause.message, ...(rest !== undefined && 'problems' in rest ? rest.problems : [])] }
  }
}

function settingsFindings(environment: Environment, { traces }: Settings): readonly Finding[] {
  const known = settingNames()
  const given = [...known].filter((name) => (environment[name] ?? '').trim() !== '')
  const unknown = Object.keys(environment).filter((name) => !known.has(name))
  const misspelt = unknown.flatMap((name) => {
    const meant = name.length >= SHORTEST ? nearest(name, known) : undefined
    const isNear = meant !== undefined && Math.abs(meant.length - name.length) <= 1 && meant[0] === name[0]
    if (isNear) return [note('settings', `${name} is not a setting; did you mean ${meant}?`)]
    return OURS.test(name) ? [note('settings', `${name} is not a setting and has no effect`)] : []
  })
  const idle = traces === undefined ? given.filter((name) => name.startsWith('OTEL_')) : []
  return [
    ok('settings', given.length === 0 ? 'none, all as usual' : given.join(', ')),
    ...misspelt,
    ...idle.map((name) => note('settings', `${name} has no effect without OTEL_EXPORTER_OTLP_ENDPOINT`)),
  ]
}

/** Prefixes of our own names; OTEL_ is shared with other programs. */
const OURS = /^(?:KEEP|OIDC|OTEL)_/

/** Shorter names are near to too many others. */
const SHORTEST = 7

function userFindings({ host, oidc, setUp }: Settings, hasUsers: boolean | undefined): readonly Finding[] {
  if (hasUsers === undefined) return []
  if (hasUsers) return [ok('users', 'there are some; callers must sign in')]
  if (oidc !== undefined || setUp) return [note('users', 'there are none yet')]
  if (isLoopback(host)) return [note('users', 'there are none: anyone on this machine may do everything')]
  return [fault('users', `there is none, and HOST=${host} can be reached by others: add one with user add`)]
}

function proxyFindings({ baseUrl, trustProxy }: Settings): readonly Finding[] {
  if (!baseUrl.startsWith('https:') || trustProxy.length > 0) return []
  return [note('proxy', 'BASE_URL is behind TLS and TRUST_PROXY is not set: all callers count as one address')]
}

/** Whether the address is free, or used by this service. */
async function addressFinding(settings: Settings): Promise<Finding> {
  const shown = hostAndPort(settings)
  const problem = await addressProblem(settings)
  if (problem === undefined) return ok('address', `${shown} is free`)
  if (problem.code !== 'EADDRINUSE') return fault('address', `${shown} cannot be used: ${problem.code}`)
  return serviceFinding(shown, reachedAt(settings))
}

/** The error that listening there would cause, if any. */
export function addressProblem({
  host,
  port,
}: Pick<Settings, 'host' | 'port'>): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host, port }, () => server.close(() => resolve(undefined)))
  })
}

async function serviceFinding(shown: string, reached: string): Promise<Finding> {
  try {
    const answer = await fetch(`http://${reached}/health/ready`, { signal: AbortSignal.timeout(20_000) })
    const said = (await answer.json()) as { readonly status?: unknown; readonly detail?: unknown }
    if (answer.status === 200 && said.status === 'ok') return ok('service', `it runs at ${shown} and is ready`)
    if (answer.status === 503) return fault('service', `it runs at ${shown} and is not ready: ${said.detail}`)
  } catch {
    // Not our service, or it does not answer.
  }
  return fault('address', `${shown} is in use by another program`)
}
