import type { FastifyReply } from 'fastify'
import type { Document } from '../../../representations/document.ts'
import { inTurns } from '../../../store/port/take-turns.ts'
import { areLong } from '../../../values/json/texts.ts'
import { acceptedCoding } from '../../negotiate/content-coding.ts'
import { markedParts } from '../../negotiate/fixed-content.ts'
import type { Chosen } from '../../negotiate/negotiation.ts'
import type { Outgoing } from '../../negotiate/outgoing.ts'
import {
  addAlternates,
  addHeaders,
  type Headed,
  judge,
  keptBy,
  sendNotModified,
  VARY,
  varyOf,
} from './answer-headers.ts'
import { inBatches, sendLines } from './send-lines.ts'
import { sendProblem } from './send-problem.ts'
import { codingFor } from './send-text.ts'

/** A long page as it is written, in turns with other requests; undefined for anything shorter. */
export function longPage(
  document: Document | undefined,
  chosen: Chosen,
  outgoing: Outgoing,
): AsyncIterable<Uint8Array> | undefined {
  const { representation } = chosen
  if (document?.joined === undefined || representation.parts === undefined) return undefined
  if (!areLong(document.joined.texts)) return undefined
  return inBatches(inTurns(representation.parts(document, outgoing.service.screens.around(outgoing, chosen))))
}

/** A long page; a feed is written first, because its tag depends on its bytes. */
export function sendLong(answer: SentLines, chosen: Chosen, outgoing: Outgoing): FastifyReply {
  if (!chosen.representation.whole?.isLatest) return sendStream(answer, chosen, outgoing)
  const { reply } = outgoing
  markedParts(answer.lines, codingFor(chosen, outgoing))
    .then(({ tag, made }) => sendStream({ ...answer, lines: inTurns(made), tag }, chosen, outgoing))
    .catch((cause: unknown) => reply.send(cause))
  return reply
}

interface SentLines extends Headed {
  readonly lines: AsyncIterable<Uint8Array>
  readonly contentType?: string
  readonly tag?: string
}

export function sendStream(answer: SentLines, chosen: Chosen, outgoing: Outgoing): FastifyReply {
  const { reply, request } = outgoing
  if (answer.contentType !== undefined) {
    addHeaders(answer, outgoing)
    reply.header('vary', VARY).header('cache-control', 'no-store').header('content-type', answer.contentType)
    return sendLines(answer.lines, acceptedCoding(request.headers), outgoing)
  }
  const { tag } = answer
  const verdict = judge({ tag }, outgoing)
  if (typeof verdict === 'object') return sendProblem(verdict.problem, outgoing)
  addHeaders(answer, outgoing)
  reply.header('vary', varyOf(chosen.contentType)).header('cache-control', keptBy(chosen, outgoing))
  addAlternates(chosen, outgoing)
  if (tag !== undefined) reply.header('etag', tag)
  if (verdict === 'not-modified') return sendNotModified(outgoing)
  if (chosen.representation.name === 'html') reply.headers(outgoing.service.htmlHeaders)
  reply.type(chosen.contentType)
  return sendLines(answer.lines, codingFor(chosen, outgoing), outgoing)
}
