import { isIP } from 'node:net'
import { isVersion } from '../values/address.ts'
import { databaseHosts } from '../values/database-address.ts'
import { currency } from '../values/kinds/codes.ts'
import { date } from '../values/kinds/time.ts'
import { isLoopback } from '../values/loopback.ts'
import { type Role, roles } from '../values/role.ts'

// Readers of setting texts; each returns undefined for an unreadable text.

/** The date from which a version is deprecated and, if known, the last date on which it is served. */
export interface Deprecation {
  readonly from: string
  readonly until: string
}

/** A number of requests per number of seconds. */
export interface RateLimit {
  readonly quota: number
  readonly seconds: number
}

export const oneOf =
  <T extends string>(known: readonly T[]) =>
  (text: string): T | undefined =>
    known.find((each) => each === text)

/** An IPv6 address may be in brackets, as in a URL. */
export function readHost(text: string): string | undefined {
  const bare = /^\[([\da-f:.]+)\]$/i.exec(text)?.[1] ?? text
  return /^[\w.:-]+$/.test(bare) ? bare : undefined
}

export function readPort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined
}

/** A URL of another scheme, or SQLite's `:memory:`, is a mistake and not a file name; `C:` is a drive. */
export function readDatabaseUrl(text: string): string | undefined {
  if (!/^(?:[a-z][a-z0-9+.-]+)?:/i.test(text)) return text
  return /^postgres(ql)?:\/\//.test(text) && isReadable(text) ? text : undefined
}

/** As pg reads it: without a host, the connection uses a local socket. */
const isReadable = (address: string): boolean =>
  databaseHosts(address.replace('@/', '@localhost/')).every((each) => URL.canParse(each))

export function readBaseUrl(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) return undefined
  return url.username === '' && url.password === '' ? url.href.replace(/\/+$/, '') : undefined
}

/** OpenID Connect Discovery 1.0 §3: https, without query and fragment. On this machine it may be http. */
export function readIssuer(text: string): URL | undefined {
  const url = readBaseUrl(text) === undefined ? null : URL.parse(text)
  return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname)) ? url : undefined
}

/** Without a map the values are the role names. */
export const ownRoles: ReadonlyMap<string, Role> = new Map(roles.map((role) => [role, role]))

/** The names of roles, also of those that admins make. */
export function readRoleMap(text: string): ReadonlyMap<string, string> | undefined {
  const map = new Map<string, string>()
  for (const each of text.split(',')) {
    const [, value, role] = /^\s*(.+?)\s*=\s*([a-z0-9-]+)\s*$/.exec(each) ?? []
    if (value === undefined || role === undefined) return undefined
    map.set(value, role)
  }
  return map
}

/** `none` is an empty list. The names are checked where they are used. */
export function readNames(text: string): readonly string[] | undefined {
  const names = text === 'none' ? [] : text.split(',').map((each) => each.trim())
  return names.every((name) => /^[\w-]+$/.test(name)) ? names : undefined
}

export function readOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').map((each) => each.trim())
  return origins.every((origin) => URL.parse(origin)?.origin === origin) ? origins : undefined
}

/** Names as proxy-addr knows them. */
const networkNames: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

export function readProxies(text: string): readonly string[] | undefined {
  const proxies = text.split(',').map((each) => each.trim())
  return proxies.every((proxy) => networkNames.has(proxy) || isNetwork(proxy)) ? proxies : undefined
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  // A network of all addresses would trust every client.
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** The default rate: generous for people and programs, low enough against a flood. */
export const usualRateLimit: RateLimit | 'off' = { quota: 6000, seconds: 60 }

const unitSeconds: { readonly [unit: string]: number } = { s: 1, min: 60, h: 3600, hour: 3600 }

export function readRateLimit(text: string): RateLimit | 'off' | undefined {
  if (text === 'off') return text
  const [, quota, unit] = /^([1-9]\d{0,6})\/(s|min|h|hour)$/.exec(text) ?? []
  return quota === undefined ? undefined : { quota: Number(quota), seconds: unitSeconds[unit ?? ''] ?? 1 }
}

/** https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables */
export function readHeaders(text: string): { readonly [name: string]: string } | undefined {
  const pairs = text.split(',').map((each) => /^\s*([\w!#$%&'*+.^`|~-]+)=(.*?)\s*$/.exec(each))
  if (pairs.some((pair) => pair === null)) return undefined
  try {
    const headers = Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', decodeURIComponent(pair?.[2] ?? '')]))
    // Throws for headers that cannot be sent. Otherwise every attempt would log the value.
    new Headers(headers)
    return headers
  } catch {
    return undefined
  }
}

export const readShare = (text: string): number | undefined =>
  /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(text) ? Number(text) : undefined

export const DAY = 86_400_000

export const readTime = (text: string): number | undefined =>
  /^[1-9]\d{0,4}d$/.test(text) ? Number.parseInt(text, 10) * DAY : undefined

export const readCount = (text: string): number | undefined => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined)

export const readBoolean = (text: string): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined

export function readCurrency(text: string): string | undefined {
  const read = currency.read(text)
  return 'value' in read ? read.value : undefined
}

export function readDeprecations(text: string): ReadonlyMap<string, Deprecation> | undefined {
  const versions = new Map<string, Deprecation>()
  for (const each of text.split(',')) {
    const [, version, from, until] = /^\s*(v\d+)@([\d-]+)\.\.([\d-]+)\s*$/.exec(each) ?? []
    if (version === undefined || from === undefined || until === undefined || !isVersion(version)) return undefined
    if ('fault' in date.read(from) || 'fault' in date.read(until) || from > until) return undefined
    versions.set(version, { from, until })
  }
  return versions
}

export const noDeprecations: ReadonlyMap<string, Deprecation> = new Map()
