import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { requestBounds } from '../../values/bounds.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A connection's last request and the one that is being answered. */
export interface PipelinedSocket extends Socket {
  latest?: ServerResponse
  answering?: ServerResponse
  waiting?: number
  /** Set if garbage follows the last request. */
  isBroken?: true
}

/**
 * RFC 9112 §9.3.2: pipelined requests take effect in order. Each begins after the previous answer was sent, so that a
 * client that reads nothing has one answer in memory, not a thousand.
 */
export function answerInTurn(server: Server): void {
  const [handle] = server.listeners('request') as [Handler]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const socket = request.socket as PipelinedSocket
    const before = socket.latest
    socket.latest = response
    if (before === undefined || before.writableFinished) {
      socket.answering = response
      return handle(request, response)
    }
    socket.waiting = (socket.waiting ?? 0) + 1
    if (socket.waiting > requestBounds.pipelined) return void socket.destroy()
    before.once('finish', () => {
      socket.waiting = (socket.waiting ?? 1) - 1
      socket.answering = response
      handle(request, response)
    })
  })
}
