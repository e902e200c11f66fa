import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { Problem } from '../contract/problems/problem.ts'
import { type ProblemCode, problemType } from '../contract/problems/problem-types.ts'
import { detailOf } from '../contract/problems/told-problem.ts'
import type { OnUnread } from '../contract/service-parts.ts'
import { METHODS, STATUS_CODES } from './node-http.ts'
import type { PipelinedSocket } from './pipelining.ts'

/** The problem for an error outside an endpoint's own answers; mostly one that Fastify found before routing. */
export function fromFramework(error: Error & { readonly code?: string }): Problem {
  // The client disconnected during its search.
  if (error.name === 'AbortError') return { code: 'malformed-request', detail: 'The client disconnected.' }
  switch (error.code) {
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_ASYNC_CONSTRAINT':
      return { code: 'malformed-request', detail: 'The address has a bad percent escape.' }
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return { code: 'address-too-long', detail: 'A segment of the address is too long.' }
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { code: 'body-too-large', detail: 'The body has more than 1048576 bytes.' }
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return {
        code: 'unsupported-media-type',
        detail: 'The Content-Type of the body is not one that can be read; JSON is application/json.',
      }
    case 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE':
      return { code: 'malformed-request', detail: 'The method needs a Content-Type.' }
    // The client disconnected in the middle of its request: nobody reads this.
    case 'ECONNRESET':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return { code: 'malformed-request', detail: 'The body is not as long as Content-Length says.' }
    default:
      return { code: 'internal-error', detail: 'An unexpected error occurred; it was logged.' }
  }
}

/** A request that Node's parser refused never reaches Fastify: it is answered on the bare socket. */
export function onBrokenConnection(error: ParserError, socket: PipelinedSocket, onAnswer: OnUnread): void {
  // A spare connection of a browser gets no answer: the browser would take it for the answer to its next request.
  const isSpare = socket.bytesRead === 0
  if (error.code === 'ECONNRESET' || !socket.writable || isSpare) return void socket.destroy()
  const { answering, latest } = socket
  if (answering?.headersSent) {
    // Write nothing into an answer that has begun, nor after one with `Connection: close`.
    if (!answering.writableFinished) return void socket.destroy()
    if (answering.getHeader('connection') === 'close') return void socket.end()
  } else if (answering !== undefined && (answering !== latest || answering.req.complete)) {
    return answerAfter(error, socket, onAnswer)
  }
  endWithProblem(socket, fromParser(error), onAnswer)
}

/** RFC 9112 §9.3.2: earlier requests are answered first, or the problem would be taken for their answer. */
function answerAfter(error: ParserError, socket: PipelinedSocket, onAnswer: OnUnread): void {
  const { latest } = socket
  // A broken request that waits for its turn is answered when its turn comes, at its time limit at the latest.
  if (socket.isBroken || !latest?.req.complete) return
  socket.isBroken = true
  latest.once('finish', () => {
    if (socket.writable) endWithProblem(socket, fromParser(error), onAnswer)
  })
}

/** The parser's error code and the bytes that it was reading. */
type ParserError = Error & { readonly code?: string; readonly reason?: string; readonly rawPacket?: unknown }

function fromParser({ code, reason, rawPacket }: ParserError): Problem {
  if (code === 'HPE_HEADER_OVERFLOW' && longAddress.test(String(rawPacket))) {
    return { code: 'address-too-long', detail: 'The address has more than 8192 characters.' }
  }
  const method = code === 'HPE_INVALID_METHOD' ? requestLine.exec(String(rawPacket))?.[1] : undefined
  // The packet may begin with a complete request, followed by garbage.
  if (method !== undefined && !METHODS.includes(method)) {
    return { code: 'not-implemented', detail: 'The method of the request is not known here.' }
  }
  const [known, detail] = broken[code ?? ''] ?? codings[reason ?? ''] ?? []
  if (known !== undefined && detail !== undefined) return { code: known, detail }
  return { code: 'malformed-request', detail: `The request is not well-formed HTTP${reason ? `: ${reason}` : ''}.` }
}

// RFC 9110 §9.1. Other beginnings are not HTTP at all.
const requestLine = /^(?:\r?\n)*([!#$%&'*+\-.^_`|~\w]+) [!-~]+ HTTP\/1\.[01]\r?\n/
const longAddress = /^[A-Z]+ \S{8192}/

/** Writes the last answer of a connection to the bare socket. */
export function endWithProblem(socket: Duplex, problem: Problem, onAnswer: OnUnread): void {
  const { code, headers = {} } = problem
  const { title, status } = problemType(code)
  const id = randomBytes(5).toString('hex')
  const instance = `urn:dealdesk:request:${id}`
  const body = JSON.stringify({ type: `/problems/${code}`, title, status, detail: detailOf(problem), code, instance })
  const bytes = Buffer.byteLength(body)
  const all = {
    ...headers,
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    vary: 'Accept',
    'request-id': id,
    'content-length': bytes,
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  onAnswer({ id, status, bytes })
  // Keep reading: otherwise the socket's end goes unnoticed and keeps the server from closing.
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER).unref()
}

/** Milliseconds for the client to read the answer. */
const LINGER = 1000

type ErrorTable = { readonly [word: string]: readonly [ProblemCode, string] }

const broken: ErrorTable = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The headers have more than 16384 bytes.'],
  HPE_INVALID_VERSION: ['unsupported-http-version', 'The request is neither HTTP/1.0 nor HTTP/1.1.'],
  HPE_PAUSED_H2_UPGRADE: ['unsupported-http-version', 'HTTP/2 is not spoken here.'],
  HPE_INVALID_METHOD: ['malformed-request', 'The request does not begin with a method of HTTP.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['malformed-request', 'The request was not sent in time.'],
}

// RFC 9112 §6.1. Together with a Content-Length the request is malformed, which the parser reports.
const codings: ErrorTable = {
  'Request has invalid `Transfer-Encoding`': [
    'not-implemented',
    'The Transfer-Encoding is not known; only chunked is understood.',
  ],
}
