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
import { httpDate, isNotModified } from './conditional.ts'
import { mayDo, type Service } from './endpoint.ts'
import { type Chosen, problemRepresentation } from './negotiation.ts'
import { type Problem, problemMembers } from './problem.ts'
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
  /** Whether the page may load the script, which is for those who may read. */
  readonly scripted: boolean
}

/** Writes an answer in the representation that was chosen for it. */
export function sendAnswer(answer: Answer, chosen: Chosen, outgoing: Outgoing): FastifyReply {
  if ('problem' in answer) return sendProblem(answer.problem, outgoing)
  const { request, reply, service } = outgoing
  if (service.state.stopping) reply.header('connection', 'close')
  if (answer.headers !== undefined) reply.headers(answer.headers)
  if ('content' in answer) {
    if (answer.headers?.['cache-control'] === undefined) reply.header('cache-control', 'private, no-cache')
    return reply.header('content-type', answer.contentType).serializer(asWritten).send(answer.content)
  }
  if ('live' in answer) return sendLive(answer.live, outgoing)
  reply.header('vary', 'Accept').header('cache-control', 'private, no-cache')
  if (isRead(request)) addAlternates(answer, chosen, outgoing)
  if ('lines' in answer) {
    reply.type(chosen.contentType)
    return sendLines(answer.lines, outgoing)
  }
  const { status, document, validators } = answer
  if (validators !== undefined && chosen.representation.name !== 'html') {
    const tag = addValidators(reply, validators, chosen.representation, service)
    if (isRead(request) && isNotModified(request, tag, validators)) return reply.code(304).send()
  }
  if (document === undefined) return reply.code(status).send()
  if (chosen.representation.name === 'html') reply.headers(pageHeaders)
  const body = chosen.representation.write(document, new Surroundings(chosen, outgoing))
  return reply.code(status).type(chosen.contentType).serializer(asWritten).send(body)
}

/** Without a serializer Fastify adds a charset to JSON's type, which has none. */
const asWritten = (body: unknown): string => body as string

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
  { name }: Representation,
  { validation }: Service,
): string {
  const tag = validation.tag(revision, name)
  reply.header('etag', tag).header('last-modified', httpDate(updatedAt))
  return tag
}

/** Of a page, told only when it asks: programs' formats ignore all of it. */
class Surroundings implements WritingContext {
  readonly #chosen: Chosen
  readonly #outgoing: Outgoing
  constructor(chosen: Chosen, outgoing: Outgoing) {
    this.#chosen = chosen
    this.#outgoing = outgoing
  }
  get alternates() {
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
    return this.#outgoing.scripted ? this.#outgoing.service.addresses.base + script.path : undefined
  }
  get eventsHref() {
    return this.#outgoing.scripted ? this.#outgoing.service.addresses.events : undefined
  }
  get actor() {
    return this.#outgoing.request.actor ?? undefined
  }
  get navigation() {
    const { request, path, service } = this.#outgoing
    return service.navigation
      .filter(({ needs }) => needs === undefined || mayDo(request, needs))
      .map((place) => (isAt(place.href, service.addresses, path) ? { ...place, current: true } : place))
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
  const page = problem.page ?? ((): Markup => problemPage(explained(problem, service)))
  const document = { title, kind: 'problem', item: 'problem', json, page } as const
  return reply
    .code(status)
    .header('vary', 'Accept')
    .header('cache-control', 'no-store')
    .type(chosen.contentType)
    .serializer(asWritten)
    .send(chosen.representation.write(document, new Surroundings(chosen, outgoing)))
}

/** A problem for people: with what its kind means and what to do about it. */
const explained = (problem: Problem, { addresses }: Service): ProblemPage => ({
  ...problemTypes[problem.code],
  detail: problem.detail,
  errors: problem.errors ?? [],
  about: addresses.problem(problem.code),
  places: addresses,
})

export const instanceOf = (requestId: string): string => `urn:dealdesk:request:${requestId}`
