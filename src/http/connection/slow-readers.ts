import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Seconds without progress. The kernel buffers megabytes and asks for more only when a third of them are sent: a much
 * shorter time would cut off clients that are slow but make progress.
 */
const PATIENCE = 60
/** The same while the buffers of all clients together exceed their bound. */
const LITTLE_PATIENCE = 2
const MOST_HELD = 64 * 2 ** 20

/**
 * Closes connections whose client reads nothing of an answer for long, be it a page, an export or a live stream:
 * otherwise their buffers would be held forever. Data that the client sends meanwhile does not count, nor does the time
 * until an answer is ready. One timer checks all sockets, so that a request costs nothing.
 */
export function cutOffSlowReaders(server: Server, mostHeld = MOST_HELD): void {
  const seen = new Map<Socket, SendProgress | undefined>()
  let look = 0
  let held = 0
  server.on('connection', (socket: Socket) => {
    seen.set(socket, undefined)
    socket.once('close', () => seen.delete(socket))
  })
  const looking = setInterval(() => {
    look++
    const patience = held > mostHeld ? LITTLE_PATIENCE : PATIENCE
    held = 0
    for (const [socket, before] of seen) {
      held += socket.writableLength
      const progress = progressOf(socket)
      if (progress !== before?.progress) seen.set(socket, progress === undefined ? undefined : { progress, look })
      // RST instead of FIN, so that the kernel drops its buffer too.
      else if (before !== undefined && look - before.look >= patience) socket.resetAndDestroy()
    }
  }, 1000)
  looking.unref()
  server.once('close', () => clearInterval(looking))
}

interface SendProgress {
  readonly progress: number
  /** The time of the first check that saw this number. */
  readonly look: number
}

/**
 * Bytes actually sent, including part of a large write (known only to the socket handle); undefined when nothing is
 * pending.
 */
function progressOf(socket: Socket & { readonly _handle?: { readonly writeQueueSize: number } }): number | undefined {
  const { writableLength } = socket
  return writableLength === 0 ? undefined : socket.bytesWritten - writableLength - (socket._handle?.writeQueueSize ?? 0)
}
