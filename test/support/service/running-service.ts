import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { pino } from 'pino'
import { readSettings } from '../../../src/config.ts'
import { startService } from '../../../src/service/start-service.ts'
import type { Store } from '../../../src/store/port/store.ts'
import { type OwnDatabase, ownDatabase } from '../database/own-database.ts'
import { undocumented } from '../openapi/documented.ts'
import { closedWithTest } from './closed-with-test.ts'
import { letGoWhenClosed } from './let-go.ts'
import { unhurried } from './unhurried.ts'

/** The real service on a free port over a database of its own, and a plain client for it. */
export interface TestService {
  readonly url: string
  readonly store: Store
  readonly database: OwnDatabase
  request(method: string, path: string, asking?: Asking): Promise<Answered>
  close(): Promise<void>
}

export interface Asking {
  /** An object is sent as JSON, URLSearchParams as an HTML form; text and bytes as they are. */
  readonly body?: unknown
  readonly headers?: { readonly [name: string]: string }
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The text as JSON; nothing when it is empty or of another type. */
  readonly body: Shown
}

/** A fault of a problem, as programs are told it. */
export interface ShownFault {
  readonly pointer?: string
  readonly code?: string
  readonly with?: { readonly [fact: string]: unknown }
  readonly detail: string
}

/** Members that many documents have; a test that reads one asserts on it. */
export interface Shown {
  readonly id: string
  readonly revision: number
  readonly code: string
  readonly detail: string
  readonly links: { readonly [relation: string]: string }
  readonly items?: readonly unknown[]
  readonly errors: readonly ShownFault[]
  readonly [name: string]: unknown
}

export async function runService(environment?: { readonly [name: string]: string }): Promise<TestService> {
  const service = await openService(environment)
  return { ...service, close: closedWithTest(service.close) }
}

/** One that stays open until it is closed. */
export async function openService(environment: { readonly [name: string]: string } = {}): Promise<TestService> {
  const database = await ownDatabase()
  const settings = readSettings({ PORT: '0', DATABASE_URL: database.url, ...unhurried, ...environment })
  const fatal = (cause: Error): never => {
    throw cause
  }
  const starting = startService(settings, pino({ level: 'error' }, pino.destination(2)), fatal).then(letGoWhenClosed)
  const service = await starting.catch((cause) => {
    database.remove()
    throw cause
  })
  // Long before the service gives up a connection that rests: a loop that is late would use one that is gone.
  const agent = new Agent({ keepAlive: true, maxSockets: 100, timeout: 1000 })
  return {
    url: service.url,
    store: service.store,
    database,
    request: (method, path, asking) => send(agent, service, method, path, asking),
    async close() {
      agent.destroy()
      await service.close()
      database.remove()
    },
  }
}

/** Nothing is tidied on the way: the path and the headers go out as they are written. */
function send(
  agent: Agent,
  { url, store }: Pick<TestService, 'url' | 'store'>,
  method: string,
  path: string,
  asking: Asking = {},
): Promise<Answered> {
  const { type, content } = contentOf(asking.body)
  const { hostname, port } = new URL(url)
  const headers: { readonly [name: string]: string } = {
    ...(type !== undefined && { 'content-type': type }),
    ...(content !== undefined && { 'content-length': String(Buffer.byteLength(content)) }),
    ...asking.headers,
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const answer = { status: response.statusCode ?? 0, headers: response.headers, text }
        // Whatever a test asks for, the exchange must be as /openapi.json has it: that of the source, which is made once.
        const sent = { type: headers['content-type'], body: textOf(headers['content-type'], content) }
        const isOther = store.schemas.current.version > 0
        const fault = isOther ? undefined : undocumented({ method, path, ...sent, answer })
        if (fault !== undefined) return reject(new Error(`not as documented: ${method} ${path}: ${fault}`))
        resolve({ ...answer, body: readBody(response.headers, text) })
      })
    })
    request.on('error', (cause: NodeJS.ErrnoException) => {
      // A process that stood still finds connections that rested closed, and has not sent anything on them.
      if (request.reusedSocket && cause.code === 'ECONNRESET') {
        resolve(send(agent, { url, store }, method, path, asking))
      } else reject(cause)
    })
    request.end(content)
  })
}

/** Of bytes that are no JSON the document says nothing; a file of many is not made a text. */
const textOf = (type: string | undefined, content: string | Buffer = ''): string =>
  typeof content === 'string' ? content : /json/.test(type ?? '') ? content.toString() : ''

function contentOf(body: unknown): { readonly type?: string; readonly content?: string | Buffer } {
  if (body === undefined) return {}
  if (body instanceof URLSearchParams) return { type: 'application/x-www-form-urlencoded', content: body.toString() }
  if (typeof body === 'string' || Buffer.isBuffer(body)) return { type: 'application/json', content: body }
  return { type: 'application/json', content: JSON.stringify(body) }
}

function readBody(headers: IncomingHttpHeaders, text: string): Shown {
  const isJson = /^application\/(problem\+)?json/.test(headers['content-type'] ?? '')
  return (isJson && text !== '' ? JSON.parse(text) : undefined) as Shown
}
