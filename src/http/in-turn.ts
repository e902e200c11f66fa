import type { IncomingMessage, Server, ServerResponse } from 'node:http'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * RFC 9112 §9.3.2: requests that are sent one behind the other on a connection take effect in that order. None is begun
 * before the answer to the one before it has left, so that a client which takes nothing has one answer made, not
 * a thousand.
 */
export function answerInTurn(server: Server): void {
  const [handle] = server.listeners('request') as [Handler]
  const latest = Symbol('latest')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const socket: { [latest]?: ServerResponse } = request.socket as never
    const before = socket[latest]
    socket[latest] = response
    if (before === undefined || before.writableFinished) handle(request, response)
    else before.once('finish', () => handle(request, response))
  })
}
