import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_STREAM } from '../../../events/event-stream.ts'
import type { Markup } from '../../../representations/html/markup.ts'
import type { Written } from '../../../representations/representation.ts'
import { carrying } from '../../../representations/representations.ts'
import { type ProblemPage, problemPage } from '../../../views/problem/view.ts'
import type { Answer, Headers, Validators } from '../../answer.ts'
import { inTurns } from '../../ask/take-turns.ts'
import type { Service } from '../../endpoint.ts'
import { alternateLinks } from '../../negotiate/alternates.ts'
import { acceptedCoding, LARGEST_PLAIN } from '../../negotiate/content-coding.ts'
import { type Chosen, negotiate, problemRepresentation } from '../../negotiate/negotiation.ts'
import { judgeRead, type Selected } from '../../request/preconditions.ts'
import { withLink } from '../page-links.ts'
import { boundedProblem } from '../problems/bounded-problem.ts'
import { type Problem, problemMembers } from '../problems/problem.ts'
import { explanationOf } from '../problems/problem-for-people.ts'
import { problemType } from '../problems/problem-types.ts'
import { taggedName, type Variant } from './entity-tags.ts'
import { contentMark, type FixedContent, markedParts } from './fixed-content.ts'
import { httpDate } from './http-date.ts'
import { longPage } from './long-page.ts'
import type { Outgoing } from './outgoing.ts'
import { inBatches, noteStream, sendLines } from './send-lines.ts'
import { asWritten, codingFor, codingOf, sendBytes, sendText } from './send-text.ts'
import { Surroundings } from './surroundings.ts'

/** Writes an answer in the negotiated representation. */
export function sendAnswer(answer: Answer, chosen: Chosen, outgoing: Outgoing): FastifyReply {
  if ('problem' in answer) return sendProblem(answer.problem, outgoing)
  if ('lines' in answer) return sendStream(answer, chosen, outgoing)
  if ('status' in answer && !('content' in answer)) return sendDocument(answer, chosen, outgoing)
  if ('fixed' in answer) {
    const { fixed } = answer
    return sendFixed(typeof fixed === 'function' ? fixed(new Surroundings(outgoing)) : fixed, answer, outgoing)
  }
  if ('live' in answer) {
    addHeaders(answer, outgoing)
    return sendLive(answer.live, outgoing)
  }
  return sendContent(answer, outgoing)
}

/** Bytes of one type, or none. */
export function sendContent(sent: SentContent, outgoing: Outgoing): FastifyReply {
  const { status = 200, headers = {}, content, parts, contentType = '' } = sent
  const { request, reply } = outgoing
  addHeaders(sent, outgoing)
  if (contentType.startsWith('text/html')) reply.headers(outgoing.service.pageHeaders)
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
  /** In place of the content: texts that are sent as they are made. */
  readonly parts?: AsyncIterable<string>
  readonly contentType?: string
}

type Documented = Exclude<Extract<Answer, { status: number }>, { content: string }>

function sendDocument(answer: Documented, chosen: Chosen, outgoing: Outgoing): FastifyReply {
  const { request, reply, service } = outgoing
  const { status, document, validators, secret } = answer
  const { representation } = chosen
  const lines = longPage(document, chosen, outgoing)
  if (lines !== undefined) return sendLong({ ...answer, lines }, chosen, outgoing)
  const write = (): Written | undefined =>
    document && representation.write(document, new Surroundings(outgoing, chosen))
  const accepted = secret ? undefined : codingFor(chosen, outgoing)
  // The tag depends on the coding, and the coding on the length.
  const isFeed = representation.whole?.isLatest === true && status === 200
  const early = accepted === undefined && !isFeed ? undefined : write()
  const coding = early === undefined ? undefined : codingOf(early, accepted)
  const shape = { representation: taggedName(representation, chosen.contentType), coding }
  const tag = isFeed && early !== undefined ? contentMark(early, coding) : tagOf(validators, shape, service)
  // RFC 9110 §13.2.1: preconditions apply only if the answer would be a success.
  const verdict = isRead(request) && status === 200 ? judge({ tag, state: validators }, outgoing) : 'send'
  if (typeof verdict === 'object') return sendProblem(seenBy(verdict.problem, validators), outgoing)
  addHeaders(answer, outgoing)
  reply
    .header('vary', varyOf(chosen.contentType))
    .header('cache-control', secret ? 'no-store' : keptBy(chosen, outgoing))
  if (isRead(request)) addAlternates(chosen, outgoing)
  if (tag !== undefined) reply.header('etag', tag)
  if (tag !== undefined && validators !== undefined) reply.header('last-modified', httpDate(validators.updatedAt))
  if (verdict === 'not-modified') return sendNotModified(outgoing)
  const body = early ?? write()
  if (body === undefined) return reply.code(status).send()
  if (representation.name === 'html') reply.headers(outgoing.service.pageHeaders)
  reply.code(status).type(chosen.contentType)
  return sendText(body, coding, outgoing)
}

/** A long page; a feed is made first, because its tag is. */
function sendLong(answer: SentLines, chosen: Chosen, outgoing: Outgoing): FastifyReply {
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

function sendStream(answer: SentLines, chosen: Chosen, outgoing: Outgoing): FastifyReply {
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
  if (chosen.representation.name === 'html') reply.headers(outgoing.service.pageHeaders)
  reply.type(chosen.contentType)
  return sendLines(answer.lines, codingFor(chosen, outgoing), outgoing)
}

const judge = (selected: Selected, { request, service }: Outgoing): ReturnType<typeof judgeRead> =>
  judgeRead(request, selected, service.tags)

/** Pages have no validators: they show more than one thing's state. */
function tagOf(validators: Validators | undefined, shape: Variant, { tags }: Service): string | undefined {
  if (validators === undefined || shape.representation === 'html') return undefined
  return tags.tag(validators, { ...shape, forReader: validators.forReader })
}

interface Headed {
  readonly headers?: Headers
  readonly cookies?: readonly string[]
}

function addHeaders({ headers, cookies }: Headed, { reply, service }: Outgoing): void {
  if (service.state.closing) reply.header('connection', 'close')
  if (headers !== undefined) gatherHeaders(reply, headers)
  if (cookies !== undefined) for (const cookie of cookies) reply.header('set-cookie', cookie)
}

/** Links are appended; other headers are replaced. */
function gatherHeaders(reply: FastifyReply, headers: Headers): void {
  const before = reply.getHeader('link')
  reply.headers(headers)
  if (before !== undefined && headers.link !== undefined) reply.header('link', `${before}, ${headers.link}`)
}

/** The same for large and small answers, because a small one may grow. */
const VARY = 'Accept, Accept-Encoding'

/** Pages that show who has access, and with what: no browser keeps them on its disk. */
const keptBy = ({ representation }: Chosen, { path }: Outgoing): string =>
  representation.name === 'html' && aboutAccess.test(path) ? 'no-store' : 'private, no-cache'

const aboutAccess = /^\/(?:users|audit)(?:\/|$)/

/** Pages are written in the reader's language. */
const varyOf = (contentType: string): string =>
  contentType.startsWith('text/html') ? `${VARY}, Accept-Language` : VARY

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

const sendNotModified = ({ reply }: Outgoing): FastifyReply => reply.code(304).send()

/** The tag in a problem is the one that this caller would get. */
const seenBy = (problem: Problem, validators: Validators | undefined): Problem =>
  problem.current === undefined || !validators?.forReader
    ? problem
    : { ...problem, current: { ...problem.current, forReader: true } }

/** Proxies must not cache or buffer it: `x-accel-buffering` tells nginx. */
function sendLive(open: () => Readable, outgoing: Outgoing): FastifyReply {
  const { request, reply, service } = outgoing
  reply
    .header('vary', 'Accept')
    .header('cache-control', 'private, no-cache')
    .header('x-accel-buffering', 'no')
    .header('content-type', EVENT_STREAM)
  if (request.method === 'HEAD') return reply.send()
  noteStream(outgoing)
  const stream = open()
  stream.once('error', (err) => service.log.error({ id: request.id, err }, 'a live stream broke off'))
  // Unread data must not keep the server from closing.
  stream.once('close', () => setTimeout(() => reply.raw.destroy(), LINGER).unref())
  return reply.send(stream)
}

const LINGER = 1000

export const isRead = ({ method }: FastifyRequest): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'QUERY'

function addAlternates(
  { representation }: Chosen,
  outgoing: Outgoing,
  available = outgoing.offer.representations,
): void {
  const { reply } = outgoing
  const links = alternateLinks(outgoing, available, representation)
  const before = reply.getHeader('link') as string | undefined
  const whole = withLink(before, links)
  if (whole !== '') reply.header('link', whole)
}

/** RFC 9457. A problem is always sent: in JSON if the negotiated representation cannot carry it. */
export function sendProblem(found: Problem, outgoing: Outgoing): FastifyReply {
  const problem = boundedProblem(found)
  const { request, reply, service, forced, offer } = outgoing
  const chosen = problemRepresentation(request.headers.accept, forced, offer)
  const { status, title } = problemType(problem.code)
  if (chosen.representation.name === 'html') reply.headers(outgoing.service.pageHeaders)
  if (service.state.closing) reply.header('connection', 'close')
  if (problem.headers !== undefined) gatherHeaders(reply, problem.headers)
  if (isRead(request) && hasAlternates(problem, outgoing)) addAlternates(chosen, outgoing, forProblems)
  if (problem.current !== undefined) {
    const { forReader } = problem.current
    const representation = representationOf(outgoing)
    reply.header('etag', service.tags.tag(problem.current, { representation, forReader }))
  }
  const json = JSON.stringify({ ...problemMembers(problem, service.addresses), instance: instanceOf(request.id) })
  const page = problem.page ?? ((): Markup => problemPage(explained(problem, request.id, service)))
  const document = { title, kind: 'problem', item: 'problem', json, page } as const
  reply.code(status).header('vary', varyOf(chosen.contentType))
  reply.header('cache-control', 'no-store').type(chosen.contentType)
  const body = chosen.representation.write(document, new Surroundings(outgoing, chosen))
  return sendText(body, codingOf(body, acceptedCoding(request.headers)), outgoing)
}

const forProblems = carrying('problem')

/** A 406 links to the representations that exist; long addresses would make long headers. */
const hasAlternates = ({ code }: Problem, { path, query }: Outgoing): boolean =>
  code !== 'not-acceptable' && path.length + query.text.length <= 1000

/** The representation whose tag is sent: the negotiated one, if it has tags. */
function representationOf({ request, forced, offer }: Outgoing): string {
  const chosen = negotiate(request.headers.accept, forced, offer)
  if ('unacceptable' in chosen || chosen.representation.name === 'html') return 'json'
  return taggedName(chosen.representation, chosen.contentType)
}

/** A problem for people, with the meaning of its type and a remedy. */
const explained = (problem: Problem, request: string, { addresses }: Service): ProblemPage => ({
  ...problemType(problem.code),
  ...explanationOf(problem.code),
  detail: problem.plainly ?? problem.detail,
  errors: problem.errors ?? [],
  about: addresses.problem(problem.code),
  request,
  addresses,
})

export const instanceOf = (requestId: string): string => `urn:dealdesk:request:${requestId}`
