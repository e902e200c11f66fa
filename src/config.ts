import {
  DAY,
  type Deprecation,
  noDeprecations,
  oneOf,
  ownRoles,
  type RateLimit,
  readBaseUrl,
  readBoolean,
  readCount,
  readCurrency,
  readDatabaseUrl,
  readDeprecations,
  readHeaders,
  readHost,
  readIssuer,
  readNames,
  readOrigins,
  readPort,
  readProxies,
  readRateLimit,
  readRoleMap,
  readShare,
  readTime,
  usualRateLimit,
} from './config/setting-texts.ts'
import { isLoopback } from './values/loopback.ts'

/** All settings, read once at the start. */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly databaseUrl: string
  readonly logLevel: LogLevel
  readonly logRequests: LoggedRequests
  /** The prefix of every link; empty for path-absolute links. */
  readonly baseUrl: string
  readonly corsOrigins: readonly string[]
  /** The proxies whose X-Forwarded-For is trusted: addresses, networks and names of networks. */
  readonly trustProxy: readonly string[]
  /** Per user, or per address for anonymous callers. */
  readonly rateLimit: RateLimit | 'off'
  /** The most requests in flight; further ones get 503. */
  readonly maxInFlight: number
  /** The largest delay of the event loop in milliseconds; beyond it requests get 503. */
  readonly maxLoopDelay: number
  readonly currency: string
  readonly requireIfMatch: boolean
  /** Whether the first admin is created in the browser, with a code from the log. */
  readonly setUp: boolean
  /** Whether webhooks may call private addresses. */
  readonly webhookAllowPrivate: boolean
  readonly keep: KeepSettings
  /** Where traces are sent; undefined if nothing is traced. */
  readonly traces: TraceSettings | undefined
  readonly deprecatedVersions: ReadonlyMap<string, Deprecation>
  /** The names of the doors that are open. */
  readonly doors: readonly string[] | 'all'
  /** The OpenID provider for signing in; undefined if there is none. */
  readonly oidc: OidcSettings | undefined
}

export interface OidcSettings {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: string
  /** The claim that names roles or groups; a path such as `realm_access.roles` leads into objects. */
  readonly roleClaim: string
  /** The role for each value of that claim; `*` is for everybody else. */
  readonly roleMap: ReadonlyMap<string, string>
  /** The audience of access tokens that are accepted as Bearer; undefined if none are. */
  readonly audience: string | undefined
}

/** As OpenTelemetry names its settings. */
export interface TraceSettings {
  readonly endpoint: string
  readonly headers: { readonly [name: string]: string }
  readonly serviceName: string
  /** The share of new traces that are kept. */
  readonly share: number
}

/** How many milliseconds things are kept; undefined means forever. */
export interface KeepSettings {
  readonly events: number | undefined
  readonly commands: number | undefined
  readonly deliveries: number
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

/** Which requests are logged: those that failed or took long, also every write, or all. */
const loggedRequests = ['problems', 'writes', 'all'] as const
export type LoggedRequests = (typeof loggedRequests)[number]

/** The default database; its folder is created if missing. */
export const DEFAULT_DATABASE = 'data/dealdesk.db'

/** An invalid setting; the message is one line that names it. */
export class BadSetting extends Error {
  override readonly name = 'BadSetting'
}

export type Environment = Readonly<Record<string, string | undefined>>

/** `onName` is called with the name of each setting. */
export function readSettings(environment: Environment, onName: (name: string) => void = () => {}): Settings {
  const read = <T>(name: string, initial: T, parse: (text: string) => T | undefined, expected: string): T => {
    onName(name)
    const text = environment[name]?.trim()
    if (text === undefined || text === '') return initial
    const value = parse(text)
    if (value === undefined) throw unusable(name, text, expected)
    return value
  }
  const text = (name: string): string | undefined => read(name, undefined, (given) => given, 'a text')
  const host = read('HOST', '127.0.0.1', readHost, 'a host name or an IP address such as 127.0.0.1')
  const baseUrl = read('BASE_URL', '', readBaseUrl, 'an address such as https://deals.example.com')
  return {
    host,
    port: read('PORT', 8080, readPort, 'a port from 0 to 65535'),
    databaseUrl: read('DATABASE_URL', DEFAULT_DATABASE, readDatabaseUrl, DATABASE_ADDRESS),
    logLevel: read('LOG_LEVEL', 'info', oneOf(logLevels), logLevels.join(', ')),
    logRequests: read('LOG_REQUESTS', 'problems', oneOf(loggedRequests), loggedRequests.join(', ')),
    baseUrl,
    corsOrigins: read('CORS_ORIGINS', [], readOrigins, 'origins such as https://app.example.com, separated by commas'),
    trustProxy: read('TRUST_PROXY', [], readProxies, 'addresses or networks such as 10.0.0.0/8, separated by commas'),
    rateLimit: read('RATE_LIMIT', isLoopback(host) ? 'off' : usualRateLimit, readRateLimit, '600/min, 10/s or off'),
    maxInFlight: read('MAX_IN_FLIGHT', 2000, readCount, 'a number of requests such as 2000'),
    maxLoopDelay: read('MAX_LOOP_DELAY', 500, readCount, 'milliseconds such as 500'),
    currency: read('CURRENCY', 'EUR', readCurrency, 'an ISO 4217 code such as EUR'),
    requireIfMatch: read('REQUIRE_IF_MATCH', false, readBoolean, 'true or false'),
    setUp: read('SET_UP', false, readBoolean, 'true or false'),
    webhookAllowPrivate: read('WEBHOOK_ALLOW_PRIVATE', false, readBoolean, 'true or false'),
    keep: readKeep(),
    traces: readTraces(),
    deprecatedVersions: read('DEPRECATED_VERSIONS', noDeprecations, readDeprecations, 'v1@2026-12-01..2027-06-30'),
    doors: read<Settings['doors']>('DOORS', 'all', readNames, 'names of doors such as rpc,odata, or none'),
    oidc: readOidc(),
  }

  function readTraces(): TraceSettings | undefined {
    const base = read('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, readBaseUrl, 'an address such as http://localhost:4318')
    const headers = read('OTEL_EXPORTER_OTLP_HEADERS', {}, readHeaders, 'headers such as api-key=secret,tenant=desk')
    const serviceName = text('OTEL_SERVICE_NAME') ?? 'dealdesk'
    const share = read('OTEL_TRACES_SAMPLER_ARG', 1, readShare, 'a share of traces from 0 to 1')
    return base === undefined ? undefined : { endpoint: `${base}/v1/traces`, headers, serviceName, share }
  }

  function readKeep(): KeepSettings {
    const time = <T>(name: string, initial: T) => read<number | T>(name, initial, readTime, 'a time such as 400d')
    const events = time('KEEP_EVENTS', undefined)
    const commands = time('KEEP_COMMANDS', events)
    if (events !== undefined && (commands === undefined || commands > events)) {
      throw new BadSetting('KEEP_COMMANDS must not be longer than KEEP_EVENTS: a replay needs the event of its command')
    }
    return { events, commands, deliveries: time('KEEP_DELIVERIES', 7 * DAY) }
  }

  function readOidc(): OidcSettings | undefined {
    const issuer = read('OIDC_ISSUER', undefined, readIssuer, 'an address such as https://login.example.com')
    const clientId = text('OIDC_CLIENT_ID')
    const clientSecret = text('OIDC_CLIENT_SECRET')
    const audience = text('OIDC_AUDIENCE')
    const roleClaim = text('OIDC_ROLE_CLAIM')
    const roleMap = read('OIDC_ROLE_MAP', undefined, readRoleMap, 'roles such as sales=editor,it=admin,*=reader')
    if (issuer === undefined) {
      const lone = Object.entries({ clientId, clientSecret, audience, roleClaim, roleMap }).find(([, value]) => value)
      if (lone !== undefined) throw new BadSetting(`${settingOf(lone[0])} needs OIDC_ISSUER`)
      return undefined
    }
    if (clientId === undefined) throw new BadSetting('OIDC_ISSUER needs OIDC_CLIENT_ID')
    if (clientSecret === undefined) throw new BadSetting('OIDC_ISSUER needs OIDC_CLIENT_SECRET')
    if (baseUrl === '') {
      throw new BadSetting('OIDC_ISSUER needs BASE_URL, the address to which the provider sends people back')
    }
    // The audience of ID tokens is the client.
    if (audience === clientId) {
      throw new BadSetting('OIDC_AUDIENCE must not be OIDC_CLIENT_ID: ID tokens would pass for access tokens')
    }
    return { issuer, clientId, clientSecret, roleClaim: roleClaim ?? 'roles', roleMap: roleMap ?? ownRoles, audience }
  }
}

/** The names of all settings, in the order in which they are read. */
export function settingNames(): ReadonlySet<string> {
  const names = new Set<string>()
  readSettings({}, (name) => names.add(name))
  return names
}

const settingOf = (member: string): string => `OIDC_${member.replace(/[A-Z]/g, '_$&').toUpperCase()}`

/** Checks a database address that is given as an argument. */
export function requireDatabaseAddress(name: string, text: string): void {
  if (readDatabaseUrl(text) === undefined) throw unusable(name, text, DATABASE_ADDRESS)
}

const DATABASE_ADDRESS = 'a file path or postgres://…'

const unusable = (name: string, text: string, expected: string): BadSetting =>
  new BadSetting(`${name}=${/HEADERS$/.test(name) ? '***' : masked(text)} is not usable: expected ${expected}`)

/** Hides the password of an address in terminals and logs. */
const masked = (text: string): string => text.replace(/(\/\/|^[a-z][\w+.-]*:\/*).*@/i, '$1***@')
