import { METHODS } from 'node:http'
import { pick, type Random } from '../../../src/demo/random.ts'
import { settingNames } from '../../../src/queries/settings.ts'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { collections, deal as dealResource, schema } from '../schema.ts'
import { nastyBodies, nastyHeaderValues, nastyMembers, nastyWords } from './nasty-values.ts'

const endpoints = endpointsOf(schema)

const operations = dealResource.operations

/** A request as bytes, and what a right answer to it may be besides an answer below 500. */
export interface HostileRequest {
  readonly bytes: Buffer
  readonly isHead: boolean
  /** The only errors of 500 and above that it asks for: 501 of a coding, 505 of a version. */
  readonly mayAnswer: readonly number[]
  /** Its framing lies, so that the connection may be closed without a word. */
  readonly isBroken: boolean
}

/** Things that are there, so that a request gets past the first look. */
export interface Known {
  readonly deal: string
  readonly customer: string
  readonly command: string
  readonly webhook: string
}

/** A request to any route, where each slot holds either what belongs there or what never should. */
export function hostileRequest(random: Random, known: Known): HostileRequest {
  const chance = (percent: number): boolean => random(100) < percent
  const one = <T>(list: readonly T[]): T => pick(list, random)
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: random(most + 1) }, make)
  const word = (): string => one(nastyWords)
  const endpoint = one(endpoints)

  const rightMethod = endpoint.method === 'GET' && chance(10) ? 'HEAD' : endpoint.method
  const method = chance(88) ? rightMethod : one(otherMethods)
  const version = chance(98) ? 'HTTP/1.1' : one(versions)

  function path(): string {
    if (chance(4)) return `/${some(5, word).join('/')}`
    const segments = endpoint.path.split('/').map((segment) => (segment.startsWith(':') ? parameter(segment) : segment))
    if (chance(5)) segments.splice(random(segments.length + 1), random(2), word())
    return `${segments.join('/') || '/'}${chance(15) ? one(suffixes) : ''}`
  }

  function parameter(name: string): string {
    if (chance(20)) return word()
    if (name === ':command') return chance(50) ? known.command : `c${random(200)}`
    if (name === ':n' || name === ':number') return String(random(9))
    if (name === ':target') return `${known.deal}:${one(operations).name}`
    if (name === ':name') return one(operations).words.action
    if (name !== ':id') return one(['open', 'lead', '18', '18-40', known.deal, known.customer, 'Mila', '2026-11-15'])
    if (endpoint.path.startsWith('/customers')) return known.customer
    return endpoint.path.startsWith('/webhooks') ? known.webhook : known.deal
  }

  function query(): string {
    const terms = some(
      chance(50) ? 0 : 5,
      () => `${queryName()}${one(['=', '=', '=', '', '>=', '<', '!=', '%3E='])}${word()}`,
    )
    return terms.length === 0 ? '' : `?${terms.join('&')}`
  }

  function queryName(): string {
    if (chance(10)) return word()
    if (chance(40)) return one([...settingNames, 'dry-run', 'gt', 'lt', 'min', 'max'])
    const field = one([...one(Object.values(collections)).fields.keys()])
    return one([field, `min-${field}`, `max-${field}`, ...operators.map((each) => `${field}.${each}`)])
  }

  function members(): Record<string, unknown> {
    const base: Record<string, unknown> = { ...one(one(operations).examples) }
    for (const name of some(3, () => one(memberNames))) base[name] = value()
    if (chance(30)) delete base[one([...Object.keys(base), 'name'])]
    return base
  }

  const value = (): unknown => (chance(5) ? { [one(memberNames)]: one(nastyMembers) } : one(nastyMembers))

  function body(): string | Buffer {
    if (chance(15)) return one(nastyBodies)
    const { action } = one(operations).words
    const plain = members()
    if (endpoint.path.includes('command') || chance(15)) {
      const envelope = { action: chance(80) ? action : value(), params: chance(85) ? plain : value(), deal: known.deal }
      return JSON.stringify(chance(20) ? { ...envelope, [one(memberNames)]: value() } : envelope)
    }
    if (chance(20)) {
      return Object.entries(plain)
        .map(([name, each]) => `${name}=${chance(60) ? encodeURIComponent(written(each).toWellFormed()) : word()}`)
        .join('&')
    }
    return JSON.stringify(plain)
  }

  const hasBody = method === rightMethod ? endpoint.reads !== undefined || chance(5) : chance(50)
  const content = Buffer.from(hasBody ? body() : '')
  const framing = hasBody ? frame(content) : { lines: [], content, isBroken: false }
  const own = some(chance(65) ? 0 : 4, () => `${one(headerNames)}: ${one(nastyHeaderValues)}`)
  const host = chance(97) ? ['Host: localhost'] : some(2, () => `Host: ${one(['localhost', ...nastyHeaderValues])}`)
  const lines = [...host, ...own, ...framing.lines]

  /** Mostly as it should be; otherwise a length that lies, a coding that is not known, or both at once. */
  function frame(bytes: Buffer): {
    readonly lines: readonly string[]
    readonly content: Buffer
    readonly isBroken: boolean
  } {
    const { reads = [] } = endpoint
    const type = `Content-Type: ${chance(85) ? one<string>(reads.length > 0 ? reads : usualTypes) : one(otherTypes)}`
    const length = `Content-Length: ${bytes.length}`
    if (chance(93)) return { lines: [type, length], content: bytes, isBroken: false }
    const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n0\r\n\r\n')])
    if (chance(50)) return { lines: [type, 'Transfer-Encoding: chunked'], content: chunk, isBroken: false }
    const lines = [type, ...some(2, () => one([length, ...brokenFramings]))]
    return { lines, content: chance(50) ? bytes : chunk, isBroken: true }
  }

  const head = `${method} ${path()}${query()} ${version}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`
  return {
    bytes: Buffer.concat([Buffer.from(head, 'latin1'), framing.content]),
    isHead: method === 'HEAD',
    mayAnswer: [
      ...(/transfer-encoding/i.test(head) || !METHODS.includes(method) ? [501] : []),
      ...(version === 'HTTP/1.1' ? [] : [505]),
    ],
    isBroken: framing.isBroken || version !== 'HTTP/1.1' || own.some((line) => /^(connection|upgrade):/i.test(line)),
  }
}

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const otherMethods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'QUERY',
  'LINK',
  'CONNECT',
  'get',
  'X',
]
const versions = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/9.9', 'HTTP/1.2', 'http/1.1', 'HTTX/1.1', '']
const suffixes = [
  '.json',
  '.xml',
  '.csv',
  '.html',
  '.ndjson',
  '.exe',
  '.',
  '/',
  '//',
  '/.',
  '/..',
  ';a=1',
  '#x',
  '.json.xml',
]
const operators = ['gt', 'gte', 'lt', 'lte', 'ne', 'in', 'regex', 'contains', 'null', 'between', '__proto__', '']
const usualTypes = ['application/json', 'application/merge-patch+json', 'application/x-www-form-urlencoded']
const otherTypes = [
  '',
  'x',
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'application/json; charset=utf-16',
  '*/*',
  ...usualTypes,
]
const brokenFramings = [
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Content-Length: 1, 1',
  'Content-Length: 0x10',
  'Content-Length: 2000000',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding : chunked',
]
const headerNames = [
  ...['Accept', 'Accept-Encoding', 'Accept-Language', 'Authorization', 'Cookie', 'Content-Encoding', 'Content-Type'],
  ...['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since', 'If-Range', 'Range', 'Idempotency-Key'],
  ...['Prefer', 'Expect', 'Last-Event-ID', 'Origin', 'Referer', 'Sec-Fetch-Site', 'Access-Control-Request-Method'],
  ...['X-Forwarded-For', 'Forwarded', 'X-Forwarded-Host', 'X-HTTP-Method-Override', 'X-Request-ID', 'TE', 'Trailer'],
  ...['Connection', 'Upgrade', 'Max-Forwards', 'Via', 'Priority', '__proto__', 'X-\xff', 'Bad Name', ''],
]
const memberNames = [
  ...new Set(operations.flatMap(({ params }) => Object.keys(params))),
  ...[
    'email',
    'age',
    'children',
    'country',
    'url',
    'types',
    'overlap',
    'id',
    'revision',
    'status',
    'held',
    'deletedAt',
  ],
  ...['action', 'params', 'deal', 'toString', 'constructor', '', '💩', 'links', 'createdAt', 'paid', 'archived'],
]
