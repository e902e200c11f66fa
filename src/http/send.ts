import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EVENT_STREAM } from '../events/event-stream.ts'
import { type ProblemPage, problemPage } from '../pages/problem.ts'
import type { Markup } from '../representations/html/markup.ts'
import type { Representation, WritingContext } from '../representations/representation.ts'
import type { Addresses } from './addresses.ts'
import { alternateLinks, alternatesOf } from './alternates.ts'
import type { Answer, Validators } from './answer.ts'
import { script, styleSheet } from './assets.ts'
import { httpDate, isNotModified, namesTag } from './conditional.ts'
import { acceptedCoding, type Coding, codedName, compress, LARGEST_PLAIN } from './content-coding.ts'
import { mayDo, type Service } from './endpoint.ts'
import type { FixedContent } from './fixed-content.ts'
import { type Chosen, problemRepresentation } from './negotiation.ts'
import { type Problem, problemMembers } from './problem.ts'
import { forPeople } from './problem-for-people.ts'
import { problemTypes } from './problem-types.ts'
import { pageHeaders } from './security-headers.ts'
import { sendLines } from './send-lines.ts'

/** A request on its way out: what was asked for and how it will be written. */
export interface Outgoing {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly service: Service
  readonly path: string
  readonly search: string
  readonly forced: string | undefined
  /** With its dot, where the path had one. */
  readonly suffix: string
  readonly available: readonly Representation[]
}

/** Writes an answer in the representation that was chosen for it. */
export function sendAnswer(answer: Answer, chosen: Chosen, outgoing: Outgoing): FastifyReply {
  if ('problem' in answer) return sendProblem(answer.problem, outgoing)
  const { request, reply, service } = outgoing
  if (service.state.stopping) reply.header('connection', 'close')
  if (answer.headers !== undefined) reply.headers(answer.headers)
  if ('content' in answer) {
    reply.header('vary', VARY).header('cache-control', 'private, no-cache').header('content-type', answer.contentType)
    return sendText(answer.content, codingOf(answer.content, acceptedCoding(request.headers)), reply)
  }
  if ('fixed' in answer) {
    if (answer.headers?.['cache-control'] === undefined) reply.header('cache-control', 'private, no-cache')
    reply.header('vary', VARY).header('content-type', answer.contentType)
    const { fixed } = answer
    return sendFixed(typeof fixed === 'function' ? fixed(new Surroundings(outgoing)) : fixed, request, reply)
  }
  if ('live' in answer) return sendLive(answer.live, outgoing)
  reply.header('vary', VARY).header('cache-control', 'private, no-cache')
  if (isRead(request)) addAlternates(answer, chosen, outgoing)
  if ('lines' in answer) {
    reply.type(chosen.contentType)
    return sendLines(answer.lines, outgoing)
  }
  const { status, document, validators, secret } = answer
  const { representation } = chosen
  const write = (): string | undefined => document && representation.write(document, new Surroundings(outgoing, chosen))
  const accepted = secret ? undefined : acceptedCoding(request.headers)
  // Which tag it has depends on its coding, and that on its length.
  const early = accepted === undefined ? undefined : write()
  const coding = early === undefined ? undefined : codingOf(early, accepted)
  if (validators !== undefined && representation.name !== 'html') {
    const tag = addValidators(reply, validators, codedName(representation.name, coding), service)
    if (isRead(request) && isNotModified(request, tag, validators)) return reply.code(304).send()
  }
  const body = early ?? write()
  if (body === undefined) return reply.code(status).send()
  if (representation.name === 'html') reply.headers(pageHeaders)
  return sendText(body, coding, reply.code(status).type(chosen.contentType))
}

/** Of whatever is chosen by what a client accepts; the same for large and small, as one may become the other. */
const VARY = 'Accept, Accept-Encoding'

const codingOf = (text: string, accepted: Coding | undefined): Coding | undefined =>
  accepted !== undefined && (text.length > LARGEST_PLAIN || Buffer.byteLength(text) > LARGEST_PLAIN)
    ? accepted
    : undefined

function sendText(text: string, coding: Coding | undefined, reply: FastifyReply): FastifyReply {
  if (coding === undefined) return reply.serializer(asWritten).send(text)
  return sendBytes(compress(text, coding), reply.header('content-encoding', coding))
}

/** Without a serializer Fastify adds a charset to JSON's type, which has none. */
const asWritten = (body: unknown): string => body as string

function sendBytes(bytes: Buffer | Promise<Buffer>, reply: FastifyReply): FastifyReply {
  if (!(bytes instanceof Promise)) return reply.send(bytes)
  bytes.then(
    (bytes) => reply.send(bytes),
    (cause) => reply.removeHeader('content-encoding').send(cause),
  )
  return reply
}

function sendFixed(fixed: FixedContent, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const coding = fixed.bytes > LARGEST_PLAIN ? acceptedCoding(request.headers) : undefined
  const tag = fixed.tag(coding)
  reply.header('etag', tag)
  if (namesTag(request, tag)) return reply.code(304).removeHeader('content-type').send()
  if (coding === undefined) return reply.serializer(asWritten).send(fixed.text)
  return sendBytes(fixed.coded(coding), reply.header('content-encoding', coding))
}

/** Nothing on the way may keep it or gather it up: `x-accel-buffering` says so to nginx. */
function sendLive(open: () => Readable, { request, reply, service }: Outgoing): FastifyReply {
  reply
    .header('vary', 'Accept')
    .header('cache-control', 'private, no-cache')
    .header('x-accel-buffering', 'no')
    .header('content-type', EVENT_STREAM)
  if (request.method === 'HEAD') return reply.send()
  const stream = open()
  stream.once('error', (err) => service.log.error({ reqId: request.id, err }, 'a live stream broke off'))
  // What the client still has not taken then must not keep the server from closing.
  stream.once('close', () => setTimeout(() => reply.raw.destroy(), LINGER).unref())
  return reply.send(stream)
}

const LINGER = 1000

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

function addAlternates(answer: Exclude<Answer, { problem: Problem }>, chosen: Chosen, outgoing: Outgoing): void {
  const { reply, path, search, available, service } = outgoing
  const links = alternateLinks(path, search, available, chosen.representation, service.addresses.base)
  const own = answer.headers?.link
  reply.header('link', own === undefined ? links : `${own}, ${links}`)
}

function addValidators(
  reply: FastifyReply,
  { revision, updatedAt }: Validators,
  representation: string,
  { validation }: Service,
): string {
  const tag = validation.tag(revision, representation)
  reply.header('etag', tag).header('last-modified', httpDate(updatedAt))
  return tag
}

/** Of a page, told only when it asks: programs' formats ignore all of it. */
class Surroundings implements WritingContext {
  readonly #outgoing: Outgoing
  readonly #chosen: Chosen | undefined
  constructor(outgoing: Outgoing, chosen?: Chosen) {
    this.#outgoing = outgoing
    this.#chosen = chosen
  }
  get alternates() {
    if (this.#chosen === undefined) return []
    const { path, search, available, service } = this.#outgoing
    return alternatesOf(path, search, available, this.#chosen.representation, service.addresses.base)
  }
  get homeHref() {
    return this.#outgoing.service.addresses.home
  }
  get stylesheetHref() {
    return this.#outgoing.service.addresses.base + styleSheet.path
  }
  get scriptHref() {
    // The script is for those who may read.
    return this.#outgoing.request.admitted ? this.#outgoing.service.addresses.base + script.path : undefined
  }
  get eventsHref() {
    return this.#outgoing.request.admitted ? this.#outgoing.service.addresses.events : undefined
  }
  get actor() {
    return this.#outgoing.request.actor ?? undefined
  }
  get navigation() {
    const { request, path, service } = this.#outgoing
    return service.navigation
      .filter(({ needs }) => needs === undefined || (request.admitted && mayDo(request, needs)))
      .map((place) =>
        [place.href, ...(place.also ?? [])].some((href) => isAt(href, service.addresses, path))
          ? { ...place, current: true }
          : place,
      )
  }
}

/** Whether a path is a place or lies below it; everything lies below the home. */
function isAt(href: string, { base, home }: Addresses, path: string): boolean {
  const place = href.slice(base.length).split('?', 1)[0] ?? ''
  return path === place || (href !== home && path.startsWith(`${place}/`))
}

/** RFC 9457. A problem is always told: in JSON where what was asked for cannot carry it. */
export function sendProblem(problem: Problem, outgoing: Outgoing): FastifyReply {
  const { request, reply, service, forced, available } = outgoing
  const chosen = problemRepresentation(request.headers.accept, forced, available)
  const { status, title } = problemTypes[problem.code]
  if (chosen.representation.name === 'html') reply.headers(pageHeaders)
  if (service.state.stopping) reply.header('connection', 'close')
  if (problem.headers !== undefined) reply.headers(problem.headers)
  if (problem.current !== undefined) reply.header('etag', service.validation.tag(problem.current, 'json'))
  const json = JSON.stringify({ ...problemMembers(problem, service.addresses), instance: instanceOf(request.id) })
  const page = problem.page ?? ((): Markup => problemPage(explained(problem, request.id, service)))
  const document = { title, kind: 'problem', item: 'problem', json, page } as const
  reply.code(status).header('vary', VARY).header('cache-control', 'no-store').type(chosen.contentType)
  const body = chosen.representation.write(document, new Surroundings(outgoing, chosen))
  return sendText(body, codingOf(body, acceptedCoding(request.headers)), reply)
}

/** A problem for people: with what its kind means and what to do about it. */
const explained = (problem: Problem, request: string, { addresses }: Service): ProblemPage => ({
  ...problemTypes[problem.code],
  ...forPeople[problem.code],
  detail: problem.plainly ?? problem.detail,
  errors: problem.errors ?? [],
  about: addresses.problem(problem.code),
  request,
  places: addresses,
})

export const instanceOf = (requestId: string): string => `urn:dealdesk:request:${requestId}`
