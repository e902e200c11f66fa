import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Problem } from '../contract/problems/problem.ts'
import { everyMethod } from '../contract/route.ts'
import type { OnUnread } from '../contract/service-parts.ts'
import { endWithProblem } from './framework-errors.ts'

/** The problem for a request that HTTP forbids but Node's parser accepts; undefined if the request is fine. */
export function protocolFault(request: IncomingMessage): Problem | undefined {
  const { httpVersion } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return fault('unsupported-http-version', `The request is in HTTP/${httpVersion}, neither HTTP/1.0 nor HTTP/1.1.`)
  }
  if (request.url?.includes('#')) {
    return fault('malformed-request', 'The address has a fragment, which is not part of a request.')
  }
  // RFC 9112 §3.2.4
  if (request.url === '*' && request.method !== 'OPTIONS') {
    return fault('malformed-request', 'The address * is for OPTIONS alone.')
  }
  return codingFault(request) ?? hostFault(request)
}

/** RFC 9112 §6.1: an unknown transfer coding is 501; HTTP/1.0 has none. */
function codingFault({ headers, httpVersion }: IncomingMessage): Problem | undefined {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return undefined
  if (httpVersion === '1.0') return fault('malformed-request', 'HTTP/1.0 has no Transfer-Encoding.')
  if (coding.toLowerCase() === 'chunked') return undefined
  return fault('not-implemented', `Transfer-Encoding is ${JSON.stringify(coding)}; only chunked is understood.`)
}

/** RFC 9112 §3.2: exactly one, well-formed. Node shows only the first, so the raw headers are counted. */
function hostFault({ rawHeaders, headers, httpVersion }: IncomingMessage): Problem | undefined {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count === 0 && httpVersion === '1.0') return undefined
  if (count !== 1) return fault('malformed-request', `The request has ${count} Host headers; it must have one.`)
  if (hostText.test(headers.host ?? '')) return undefined
  return fault('malformed-request', `Host is ${JSON.stringify(headers.host)}, which is not a host with its port.`)
}

const hostText = /^(?:\[[0-9a-f:.]+\]|[\w.~%-]+)(?::\d{0,5})?$/i

/** Closes the connection: if framing is in doubt, the following bytes must not be read as a request. */
const fault = (code: Problem['code'], detail: string): Problem => ({ code, detail, headers: { connection: 'close' } })

/** A request whose client waits for 100 (Continue) before it sends the body. */
export interface Expecting extends IncomingMessage {
  expectsContinue?: true
}

/** Requests that Node reports by separate events. */
export function guardProtocol(server: Server, onAnswer: OnUnread): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    const headers = { allow: everyMethod.join(', ') }
    const detail = 'CONNECT is for proxies; this is none.'
    endWithProblem(socket, { code: 'method-not-allowed', detail, headers }, onAnswer)
  })
  // Node would send 100 before the request is checked.
  server.on('checkContinue', (request: Expecting, response) => {
    request.expectsContinue = true
    server.emit('request', request, response)
  })
  // RFC 9110 §10.1.1: unknown expectations may be ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
