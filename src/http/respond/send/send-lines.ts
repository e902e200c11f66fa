import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Written } from '../../../representations/representation.ts'
import type { Coding } from '../../contract/service-parts.ts'
import { compressor } from '../../negotiate/content-coding.ts'
import type { Outgoing } from '../../negotiate/outgoing.ts'

/**
 * Writes batches as the client reads them. The kernel or the compressor has taken each batch before the next is
 * requested, so that its buffer can be reused; a stream in between would read ahead.
 */
export function sendLines(
  lines: AsyncIterable<Uint8Array>,
  coding: Coding | undefined,
  outgoing: Outgoing,
): FastifyReply {
  const { request, reply, service } = outgoing
  if (coding !== undefined) reply.header('content-encoding', coding)
  const { raw } = reply.hijack()
  noteStream(outgoing)
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
    service.log.error({ id: request.id, err: cause }, 'an answer broke off')
    // Ending the response would mark it as complete.
    raw.destroy()
  })
  return reply
}

/**
 * Characters written at once; a write and a flush for each text would cost more than the texts. Longer ones are large
 * objects for V8, which it collects late.
 */
const BATCH = 2 ** 15

/** Texts as batches, in order. */
export async function* inBatches(texts: AsyncIterable<Written>): AsyncGenerator<Uint8Array> {
  let gathered = ''
  for await (const text of texts) {
    if (typeof text !== 'string') {
      yield text
      continue
    }
    gathered += text
    if (gathered.length < BATCH) continue
    yield Buffer.from(gathered)
    gathered = ''
  }
  if (gathered !== '') yield Buffer.from(gathered)
}

/** The length of a stream is not known in advance. */
export function noteStream({ request }: Outgoing): void {
  request.streamedFrom = request.raw.socket.bytesWritten ?? 0
}

interface Sink {
  /** Resolves when the batch's buffer is free. */
  readonly write: (batch: Uint8Array) => Promise<void>
  readonly end: () => void
}

const plainly = (raw: Writable): Sink => ({
  write: (batch) => new Promise((resolve) => raw.write(batch, () => resolve())),
  end: () => raw.end(),
})

const MOST_LISTENERS = 20

/** Flushes each batch, so that the client can read it at once; waits until the client has taken it. */
function compressed(raw: Writable, coding: Coding): Sink {
  const coder = compressor(coding)
  // The gate, the budget and the pipeline all listen for its end, which exceeds Node's default limit.
  raw.setMaxListeners(MOST_LISTENERS)
  // Free the compressor when the client disconnects.
  pipeline(coder, raw, () => {})
  return {
    write(batch) {
      coder.write(batch)
      return new Promise((resolve) => coder.flush(() => resolve()))
    },
    end: () => coder.end(),
  }
}
