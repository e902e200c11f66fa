import type { IncomingMessage, Server } from 'node:http'
import { patientTimer } from '../../values/patient-timer.ts'
import type { PipelinedSocket } from './pipelining.ts'

/** Seconds in which a request must arrive completely, with its body. */
const PATIENCE = 15

/** Milliseconds between two checks. */
const LOOK = 1000

/** Milliseconds for a head that is late by the clock. */
const MOMENT = 500

/** A request whose body is read as it arrives, for any length of time. */
export interface StreamedRequest extends IncomingMessage {
  isStreamed?: true
}

/**
 * Refuses requests that do not arrive completely. Node's own limit applies to every request of the server, including
 * streams. One timer checks all sockets, so that a request costs nothing.
 */
export function cutOffSlowSenders(server: Server): void {
  const seen = new Map<PipelinedSocket, { readonly request: StreamedRequest; readonly look: number } | undefined>()
  let look = 0
  let lastLook = performance.now()
  server.on('connection', (socket: PipelinedSocket) => {
    seen.set(socket, undefined)
    socket.once('close', () => seen.delete(socket))
  })
  const looking = setInterval(() => {
    // A client that sent while we were too busy to read was not slow.
    const now = performance.now()
    if (now - lastLook < 2 * LOOK) look++
    lastLook = now
    for (const [socket, before] of seen) {
      const request: StreamedRequest | undefined = socket.latest?.req
      if (request === undefined || request.complete || request.isStreamed) {
        if (before !== undefined) seen.set(socket, undefined)
      } else if (before?.request !== request) seen.set(socket, { request, look })
      else if (look - before.look >= PATIENCE) {
        server.emit('clientError', Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
      }
    }
  }, LOOK)
  looking.unref()
  server.once('close', () => clearInterval(looking))
}

/**
 * Refuses a head that is late, though not at once: Node measures by the clock, and one that came while this process
 * stood still has not been read yet.
 */
export function afterMoment(error: NodeJS.ErrnoException, socket: PipelinedSocket, refuse: () => void): void {
  const { latest } = socket
  const isHead = latest === undefined || latest.req.complete
  if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || !isHead) return refuse()
  const stop = patientTimer(MOMENT, () => {
    if (socket.latest === latest) refuse()
  })
  socket.once('close', stop)
}
