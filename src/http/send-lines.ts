import type { FastifyReply } from 'fastify'
import type { Outgoing } from './send.ts'

/**
 * Writes batches as the client takes them. Each is in the hands of the system before the next is asked for, so that its
 * memory can be used again; a stream in between would ask ahead.
 */
export function sendLines(lines: AsyncIterable<Uint8Array>, { request, reply, service }: Outgoing): FastifyReply {
  const { raw } = reply.hijack()
  raw.writeHead(reply.statusCode, reply.getHeaders() as { readonly [name: string]: string })
  const gone = new Promise<void>((resolve) => raw.once('close', () => resolve()))
  const written = (batch: Uint8Array) => new Promise<void>((resolve) => raw.write(batch, () => resolve()))

  async function writeAll(): Promise<void> {
    for await (const batch of lines) {
      if (request.method === 'HEAD' || raw.destroyed) break
      await Promise.race([written(batch), gone])
    }
    raw.end()
  }

  writeAll().catch((cause: unknown) => {
    service.log.error({ reqId: request.id, err: cause }, 'an answer broke off')
    // To end it would say that it is whole.
    raw.destroy()
  })
  return reply
}
