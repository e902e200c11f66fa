import type { IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { patientTimer } from '../values/patient-timer.ts'
import { hostOf, RefusedTarget, type Resolve, resolveByDns, resolveTarget } from './resolve-target.ts'
import { readRetryAfter } from './retry-after.ts'

// Not imported, as src/http/connection/node-http.ts says.
const { Agent: HttpAgent, request: requestHttp } = process.getBuiltinModule('node:http')

/** The receiver's answer, or the reason why there is none; `retryAfter` is in milliseconds. */
export type ReceiverReply =
  | { readonly status: number; readonly answer: string; readonly retryAfter?: number }
  | { readonly error: string; readonly isRefused?: true }

export interface WebhookClient {
  post(url: string, headers: { readonly [name: string]: string }, body: string): Promise<ReceiverReply>
  close(): void
}

export interface ClientOptions {
  readonly allowPrivate: boolean
  /** Milliseconds for a whole attempt. */
  readonly timeout: number
  readonly resolve?: Resolve
}

const MOST_READ = 64 * 1024
const MOST_KEPT = 1024
/** Idle connections kept for one receiver: as many as attempts run at once. */
const MOST_KEPT_OPEN = 8

/** Posts to receivers: follows no redirect, reads little of an answer, and bounds the time. */
export function openWebhookClient({ allowPrivate, timeout, resolve = resolveByDns }: ClientOptions): WebhookClient {
  // The lookup of every connection, so that the checked address is the one connected to.
  const lookup: LookupFunction = (host, options, done) => {
    const found = allowPrivate ? resolve(host) : resolveTarget(host, resolve)
    found.then(
      (addresses) => {
        const [first] = addresses
        if (options.all) done(null, [...addresses])
        else if (first === undefined) done(new RefusedTarget('the name has no address'), '', 4)
        else done(null, first.address, first.family)
      },
      (cause: NodeJS.ErrnoException) => done(cause, '', 4),
    )
  }
  const connecting = { keepAlive: true, maxFreeSockets: MOST_KEPT_OPEN, timeout, lookup }
  const agents = { 'http:': new HttpAgent(connecting), 'https:': new HttpsAgent(connecting) }

  const post = (
    url: URL,
    headers: { readonly [name: string]: string },
    body: string,
    again: boolean,
  ): Promise<ReceiverReply> =>
    new Promise((settle) => {
      const secure = url.protocol === 'https:'
      const options = { method: 'POST', headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) } }
      const request = secure
        ? requestHttps(url, { ...options, agent: agents['https:'] })
        : requestHttp(url, { ...options, agent: agents['http:'] })
      const settled = patientTimer(timeout, () => request.destroy(new Error('timeout')))
      let isAnswered = false
      const read = (response: IncomingMessage): void => {
        isAnswered = true
        readStart(response, (answer) => {
          settled()
          const retryAfter = readRetryAfter(response.headers['retry-after'], Date.now())
          settle({ status: response.statusCode ?? 0, answer, ...(retryAfter !== undefined && { retryAfter }) })
        })
      }
      request.on('response', read)
      // An upgrade is an answer like any other: without a listener there would be neither an answer nor an error.
      request.on('upgrade', (response, socket) => {
        socket.destroy()
        read(response)
      })
      request.on('error', (cause: NodeJS.ErrnoException) => {
        if (isAnswered) return
        settled()
        // The receiver closed an idle connection: retry on a new one, since this is not a failure.
        if (again && request.reusedSocket && cause.code === 'ECONNRESET') settle(post(url, headers, body, false))
        else settle(failure(cause))
      })
      request.end(body)
    })

  return {
    async post(address, headers, body) {
      const host = hostOf(address)
      // A literal address needs no lookup, so it is checked here.
      if (!allowPrivate && /^[\d.]+$|:/.test(host)) {
        const refused = await resolveTarget(host).then(
          () => undefined,
          (cause: NodeJS.ErrnoException) => failure(cause),
        )
        if (refused !== undefined) return refused
      }
      return post(new URL(address), headers, body, true)
    },
    close() {
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}

/** The status decides. Read only as much of the body as it takes to keep the connection. */
function readStart(response: IncomingMessage, done: (start: string) => void): void {
  const kept: Buffer[] = []
  let read = 0
  let isDone = false
  const finish = (): void => {
    if (isDone) return
    isDone = true
    done(asText(Buffer.concat(kept)))
  }
  response.on('data', (chunk: Buffer) => {
    if (read < MOST_KEPT) kept.push(chunk.subarray(0, MOST_KEPT - read))
    read += chunk.length
    if (read > MOST_READ) response.destroy()
  })
  response.on('end', finish).on('close', finish).on('error', finish)
}

/** Replaces characters that some representation cannot carry. */
const asText = (bytes: Buffer): string =>
  bytes
    .toString('utf8')
    .replace(/\ufffd$/, '')
    .replace(/[^\t\n\r\u0020-\u007e\u00a0-\ufffd]/g, '\ufffd')

function failure(cause: NodeJS.ErrnoException): ReceiverReply {
  if (cause instanceof RefusedTarget) return { error: cause.message, isRefused: true }
  if (cause.message === 'timeout') return { error: 'no answer in time' }
  return { error: reasons.get(cause.code ?? '') ?? `no connection: ${(cause.code ?? 'unknown').replace(/\W/g, ' ')}` }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connection refused'],
  ['ECONNRESET', 'connection reset'],
  ['ENOTFOUND', 'the name is not known'],
  ['EAI_AGAIN', 'the name cannot be resolved now'],
  ['ETIMEDOUT', 'no answer in time'],
])
