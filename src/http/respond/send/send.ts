import type { FastifyReply } from 'fastify'
import { EVENT_STREAM } from '../../../events/event-stream.ts'
import type { Written } from '../../../representations/representation.ts'
import type { Answer, FixedContent, Validators } from '../../contract/answer.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import type { Variant } from '../../contract/service-parts.ts'
import { acceptedCoding, LARGEST_PLAIN } from '../../negotiate/content-coding.ts'
import { taggedName } from '../../negotiate/entity-tags.ts'
import { contentMark } from '../../negotiate/fixed-content.ts'
import { httpDate } from '../../negotiate/http-date.ts'
import type { Chosen } from '../../negotiate/negotiation.ts'
import type { Outgoing } from '../../negotiate/outgoing.ts'
import {
  addAlternates,
  addHeaders,
  type Headed,
  isRead,
  judge,
  keptBy,
  sendNotModified,
  varyOf,
} from './answer-headers.ts'
import { longPage, sendLong, sendStream } from './long-page.ts'
import { inBatches, noteStream, sendLines } from './send-lines.ts'
import { sendProblem } from './send-problem.ts'
import { asWritten, codingFor, codingOf, sendBytes, sendText } from './send-text.ts'

/** Writes an answer in the negotiated representation. */
export function sendAnswer(answer: Answer, chosen: Chosen, outgoing: Outgoing): FastifyReply {
  if ('problem' in answer) return sendProblem(answer.problem, outgoing)
  if ('lines' in answer) return sendStream(answer, chosen, outgoing)
  if ('status' in answer && !('content' in answer)) return sendDocument(answer, chosen, outgoing)
  if ('fixed' in answer) {
    const { fixed } = answer
    return sendFixed(
      typeof fixed === 'function' ? fixed(outgoing.service.screens.around(outgoing)) : fixed,
      answer,
      outgoing,
    )
  }
  if ('live' in answer) return sendLive(answer, outgoing)
  return sendContent(answer, outgoing)
}

/** Bytes of one type, or none. */
export function sendContent(sent: SentContent, outgoing: Outgoing): FastifyReply {
  const { status = 200, headers = {}, content, parts, contentType = '' } = sent
  const { request, reply } = outgoing
  addHeaders(sent, outgoing)
  if (contentType.startsWith('text/html')) reply.headers(outgoing.service.htmlHeaders)
  reply.code(status).header('vary', varyOf(contentType))
  if (headers['cache-control'] === undefined) reply.header('cache-control', 'private, no-cache')
  if (parts !== undefined) {
    reply.header('content-type', contentType)
    return sendLines(inBatches(parts), acceptedCoding(request.headers), outgoing)
  }
  if (content === undefined) return reply.send()
  reply.header('content-type', contentType)
  return sendText(content, codingOf(content, acceptedCoding(request.headers)), outgoing)
}

interface SentContent extends Headed {
  readonly status?: number
  readonly content?: string
  /** Instead of the content: texts that are sent as they are written. */
  readonly parts?: AsyncIterable<string>
  readonly contentType?: string
}

type Documented = Exclude<Extract<Answer, { status: number }>, { content: string }>

function sendDocument(answer: Documented, chosen: Chosen, outgoing: Outgoing): FastifyReply {
  const { request, reply } = outgoing
  const { status, document, validators, secret } = answer
  const { representation } = chosen
  const lines = document?.joined && longPage(document, chosen, outgoing)
  if (lines !== undefined) return sendLong({ ...answer, lines }, chosen, outgoing)
  const write = (): Written | undefined =>
    document && representation.write(document, outgoing.service.screens.around(outgoing, chosen))
  const accepted = secret ? undefined : codingFor(chosen, outgoing)
  // The tag depends on the coding, and the coding on the length.
  const isFeed = representation.whole?.isLatest === true && status === 200
  const early = accepted === undefined && !isFeed ? undefined : write()
  const coding = early === undefined ? undefined : codingOf(early, accepted)
  const shape = { representation: taggedName(representation, chosen.contentType), coding }
  const tag = isFeed && early !== undefined ? contentMark(early, coding) : tagOf(validators, shape, outgoing)
  // RFC 9110 §13.2.1: preconditions apply only if the answer would be a success.
  const verdict = isRead(request) && status === 200 ? judge({ tag, state: validators }, outgoing) : 'send'
  if (typeof verdict === 'object') return sendProblem(seenBy(verdict.problem, validators), outgoing)
  addHeaders(answer, outgoing)
  reply
    .header('vary', varyOf(chosen.contentType))
    .header('cache-control', secret ? 'no-store' : (answer.headers?.['cache-control'] ?? keptBy(chosen, outgoing)))
  if (isRead(request)) addAlternates(chosen, outgoing)
  if (tag !== undefined) reply.header('etag', tag)
  if (tag !== undefined && validators !== undefined) reply.header('last-modified', modifiedAt(validators, outgoing))
  if (verdict === 'not-modified') return sendNotModified(outgoing)
  const body = early ?? write()
  if (body === undefined) return reply.code(status).send()
  if (representation.name === 'html') reply.headers(outgoing.service.htmlHeaders)
  reply.code(status).type(chosen.contentType)
  return sendText(body, coding, outgoing)
}

const modifiedAt = (validators: Validators, { service, schema }: Outgoing): string =>
  httpDate(service.tags(schema).dated(validators).updatedAt)

/** Pages have no validators: they show the state of several things. */
function tagOf(validators: Validators | undefined, shape: Variant, { service, schema }: Outgoing): string | undefined {
  if (validators === undefined || shape.representation === 'html') return undefined
  return service.tags(schema).tag(validators, { ...shape, forReader: validators.forReader })
}

function sendFixed(fixed: FixedContent, answer: Extract<Answer, { fixed: unknown }>, outgoing: Outgoing): FastifyReply {
  const { request, reply } = outgoing
  const coding = fixed.bytes > LARGEST_PLAIN ? acceptedCoding(request.headers) : undefined
  const tag = fixed.tag(coding)
  const verdict = judge({ tag }, outgoing)
  if (typeof verdict === 'object') return sendProblem(verdict.problem, outgoing)
  addHeaders(answer, outgoing)
  if (answer.headers?.['cache-control'] === undefined) reply.header('cache-control', 'private, no-cache')
  reply.header('vary', varyOf(answer.contentType)).header('etag', tag)
  if (verdict === 'not-modified') return sendNotModified(outgoing)
  reply.header('content-type', answer.contentType)
  if (coding === undefined) return reply.serializer(asWritten).send(fixed.text)
  return sendBytes(fixed.coded(coding), reply.header('content-encoding', coding))
}

/** The tag in a problem is the one that this caller would get. */
const seenBy = (problem: Problem, validators: Validators | undefined): Problem =>
  problem.current === undefined || !validators?.forReader
    ? problem
    : { ...problem, current: { ...problem.current, forReader: true } }

/** Proxies must not cache or buffer it: `x-accel-buffering` is for nginx. */
function sendLive(answer: Extract<Answer, { live: unknown }>, outgoing: Outgoing): FastifyReply {
  const { request, reply, service } = outgoing
  const opened = request.method === 'HEAD' ? undefined : answer.live()
  if (opened !== undefined && 'problem' in opened) return sendProblem(opened.problem, outgoing)
  addHeaders(answer, outgoing)
  reply
    .header('vary', 'Accept')
    .header('cache-control', 'private, no-cache')
    .header('x-accel-buffering', 'no')
    .header('content-type', EVENT_STREAM)
  if (opened === undefined) return reply.send()
  noteStream(outgoing)
  const { stream } = opened
  stream.once('error', (err) => service.log.error({ id: request.id, err }, 'a live stream broke off'))
  // Unread data must not keep the server from closing.
  stream.once('close', () => setTimeout(() => reply.raw.destroy(), LINGER).unref())
  return reply.send(stream)
}

const LINGER = 1000
