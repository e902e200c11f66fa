import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** More than one read of 64 KiB brings: whoever sends that much ahead is cut off. */
const MOST_WAITING = 2500

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A connection, what came on it last, and what is being answered. */
export interface Connection extends Socket {
  latest?: ServerResponse
  answering?: ServerResponse
  waiting?: number
}

/**
 * RFC 9112 §9.3.2: requests that are sent one behind the other on a connection take effect in that order. None is begun
 * before the answer to the one before it has left, so that a client which takes nothing has one answer made, not
 * a thousand.
 */
export function answerInTurn(server: Server): void {
  const [handle] = server.listeners('request') as [Handler]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const socket = request.socket as Connection
    const before = socket.latest
    socket.latest = response
    if (before === undefined || before.writableFinished) {
      socket.answering = response
      return handle(request, response)
    }
    socket.waiting = (socket.waiting ?? 0) + 1
    if (socket.waiting > MOST_WAITING) return void socket.destroy()
    before.once('finish', () => {
      socket.waiting = (socket.waiting ?? 1) - 1
      socket.answering = response
      handle(request, response)
    })
  })
}
