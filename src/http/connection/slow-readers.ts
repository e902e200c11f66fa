import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Seconds without progress. The kernel takes megabytes for a client before it says how far that is, and asks for more
 * only when a third of them are gone: much less would cut off clients that get on, slowly.
 */
const PATIENCE = 60
/** The same while more is held for all of them than there should be. */
const LITTLE_PATIENCE = 2
const MOST_HELD = 256 * 2 ** 20

/**
 * Cuts off whoever takes nothing of an answer for long, be it a page, an export or a live stream: what is held for it
 * would be held for ever. What the client sends meanwhile does not count, and an answer that is still being made is
 * not its fault. One timer looks at all sockets, so that a request costs nothing.
 */
export function cutOffSlowReaders(server: Server, mostHeld = MOST_HELD): void {
  const seen = new Map<Socket, Seen | undefined>()
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
      // RST instead of FIN: what the kernel holds of the answer is let go as well.
      else if (before !== undefined && look - before.look >= patience) socket.resetAndDestroy()
    }
  }, 1000)
  looking.unref()
  server.once('close', () => clearInterval(looking))
}

interface Seen {
  readonly progress: number
  /** The first look that saw it. */
  readonly look: number
}

/**
 * Another number with every byte that goes out, also within one large write, of which only the handle knows; nothing
 * when nothing waits.
 */
function progressOf(socket: Socket & { readonly _handle?: { readonly writeQueueSize: number } }): number | undefined {
  const { writableLength } = socket
  return writableLength === 0 ? undefined : socket.bytesWritten - writableLength - (socket._handle?.writeQueueSize ?? 0)
}
