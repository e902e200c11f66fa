import type { FastifyReply } from 'fastify'
import type { Written } from '../../../representations/representation.ts'
import { inTurns, slicesOf } from '../../../store/port/take-turns.ts'
import { LONG } from '../../../values/json/texts.ts'
import type { Coding } from '../../contract/service-parts.ts'
import { acceptedCoding, compress, LARGEST_PLAIN } from '../../negotiate/content-coding.ts'
import type { Chosen } from '../../negotiate/negotiation.ts'
import type { Outgoing } from '../../negotiate/outgoing.ts'
import { inBatches, sendLines } from './send-lines.ts'

/** The coding that the caller accepts, for a representation that is not itself compressed. */
export const codingFor = ({ representation }: Chosen, { request }: Outgoing): Coding | undefined =>
  representation.isCompressed ? undefined : acceptedCoding(request.headers)

/** The coding of a text: small ones are not compressed. */
export const codingOf = (text: Written, accepted: Coding | undefined): Coding | undefined =>
  accepted !== undefined && (text.length > LARGEST_PLAIN || Buffer.byteLength(text) > LARGEST_PLAIN)
    ? accepted
    : undefined

export function sendText(text: Written, coding: Coding | undefined, outgoing: Outgoing): FastifyReply {
  const { reply } = outgoing
  if (typeof text === 'string' && text.length >= LONG)
    return sendLines(inBatches(inTurns(slicesOf(text))), coding, outgoing)
  if (coding === undefined) return typeof text === 'string' ? reply.serializer(asWritten).send(text) : reply.send(text)
  return sendBytes(compress(text, coding), reply.header('content-encoding', coding))
}

/** Without a serializer Fastify adds a charset to JSON's type, which defines none. */
export const asWritten = (body: unknown): string => body as string

export function sendBytes(bytes: Buffer | Promise<Buffer>, reply: FastifyReply): FastifyReply {
  if (!(bytes instanceof Promise)) return reply.send(bytes)
  bytes.then(
    (bytes) => reply.send(bytes),
    (cause) => reply.removeHeader('content-encoding').send(cause),
  )
  return reply
}
