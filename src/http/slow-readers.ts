import type { Server } from 'node:http'

/**
 * In milliseconds. The kernel takes megabytes for a client before it says how far that is, and asks for more only when
 * a third of them are gone: much less would cut off clients that get on, slowly.
 */
const PATIENCE = 60_000

/**
 * Cuts off whoever takes nothing of an answer, be it a page, an export or a live stream: what is held for it would be
 * held for ever. Node's own timer of a socket sees every byte that goes out, also in the middle of a large write. It
 * looks twice: a client is cut off after one to two minutes without progress.
 */
export function cutOffSlowReaders(server: Server): void {
  server.setTimeout(PATIENCE, (socket) => {
    // RST instead of FIN: what the kernel holds of the answer is let go as well.
    if (socket.writableLength > 0) return void socket.resetAndDestroy()
    // Between two requests another time holds; within one the answer is still being made, which is not the client's fault.
    if (socket.timeout !== server.timeout) socket.destroy()
  })
}
