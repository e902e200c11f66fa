import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Milliseconds between two looks. The kernel takes megabytes for a client before it says how far that is, and asks for
 * more only when a third of them are gone: much less would cut off clients that get on, slowly.
 */
const PATIENCE = 60_000

/**
 * Cuts off whoever takes nothing of an answer from one look to the next, be it a page, an export or a live stream:
 * what is held for it would be held for ever. What the client sends meanwhile does not count, and an answer that is
 * still being made is not its fault. One timer looks at all sockets, so that a request costs nothing.
 */
export function cutOffSlowReaders(server: Server): void {
  const seen = new Map<Socket, number | undefined>()
  server.on('connection', (socket: Socket) => {
    seen.set(socket, undefined)
    socket.once('close', () => seen.delete(socket))
  })
  const looking = setInterval(() => {
    for (const [socket, before] of seen) {
      const now = socket.writableLength === 0 ? undefined : progressOf(socket)
      // RST instead of FIN: what the kernel holds of the answer is let go as well.
      if (now !== undefined && now === before) socket.resetAndDestroy()
      else seen.set(socket, now)
    }
  }, PATIENCE)
  looking.unref()
  server.once('close', () => clearInterval(looking))
}

/** Another number with every byte that goes out, also within one large write, of which only the handle knows. */
function progressOf(socket: Socket & { readonly _handle?: { readonly writeQueueSize: number } }): number {
  return socket.bytesWritten - socket.writableLength - (socket._handle?.writeQueueSize ?? 0)
}
