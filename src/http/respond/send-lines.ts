import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { acceptedCoding, type Coding, compressor } from '../negotiate/content-coding.ts'
import type { Outgoing } from './send.ts'

/**
 * Writes batches as the client takes them. Each is in the hands of the system or of the compressor before the next is
 * asked for, so that its memory can be used again; a stream in between would ask ahead.
 */
export function sendLines(lines: AsyncIterable<Uint8Array>, { request, reply, service }: Outgoing): FastifyReply {
  const coding = acceptedCoding(request.headers)
  if (coding !== undefined) reply.header('content-encoding', coding)
  const { raw } = reply.hijack()
  raw.writeHead(reply.statusCode, reply.getHeaders() as { readonly [name: string]: string })
  const gone = new Promise<void>((resolve) => raw.once('close', () => resolve()))

  async function writeAll(): Promise<void> {
    const { write, end } = coding === undefined || request.method === 'HEAD' ? plainly(raw) : compressed(raw, coding)
    for await (const batch of lines) {
      if (request.method === 'HEAD' || raw.destroyed) break
      await Promise.race([write(batch), gone])
    }
    end()
  }

  writeAll().catch((cause: unknown) => {
    service.log.error({ reqId: request.id, err: cause }, 'an answer broke off')
    // To end it would say that it is whole.
    raw.destroy()
  })
  return reply
}

interface Sink {
  /** Resolves when the batch's memory is free again. */
  readonly write: (batch: Uint8Array) => Promise<void>
  readonly end: () => void
}

const plainly = (raw: Writable): Sink => ({
  write: (batch) => new Promise((resolve) => raw.write(batch, () => resolve())),
  end: () => raw.end(),
})

/** Each batch can be read whole when it came: it is flushed, and that waits for the client to take it. */
function compressed(raw: Writable, coding: Coding): Sink {
  const coder = compressor(coding)
  // Whoever goes away takes the compressor's memory along.
  pipeline(coder, raw, () => {})
  return {
    write(batch) {
      coder.write(batch)
      return new Promise((resolve) => coder.flush(() => resolve()))
    },
    end: () => coder.end(),
  }
}
