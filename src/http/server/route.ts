import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { representations } from '../../representations/representations.ts'
import { reason } from '../../values/faults/fault.ts'
import type { Answer, Headers } from '../contract/answer.ts'
import { type Call, type Endpoint, JSON_OR_FORM, type OfferedAnswer, type Service } from '../contract/endpoint.ts'
import { type Problem, wrongParameter } from '../contract/problems/problem.ts'
import { deskFor, type Gate } from '../gate/gate.ts'
import { alternateLinks } from '../negotiate/alternates.ts'
import { type Chosen, isWelcome, negotiate, offerAt, offerOf, thingOffer } from '../negotiate/negotiation.ts'
import type { Outgoing } from '../negotiate/outgoing.ts'
import { prefersLive } from '../negotiate/prefers-live.ts'
import { readCall } from '../request/read-call.ts'
import { outgoingOf } from '../request/routed-address.ts'
import { withLink } from '../respond/page-links.ts'
import { notAvailable } from '../respond/problems/not-available.ts'
import { isRead } from '../respond/send/answer-headers.ts'
import { sendAnswer } from '../respond/send/send.ts'
import { sendProblem } from '../respond/send/send-problem.ts'

/** Answers the requests at the address of an endpoint: gate, choice of a representation, call, answer. */
export function addRoute(
  app: FastifyInstance,
  route: Endpoint,
  endpointsOf: (schema: Schema) => readonly Endpoint[],
  service: Service,
  deprecations: (path: string) => { readonly [name: string]: string } | undefined,
  gate: Gate,
  answerNotFound: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  const answering = bySchema((schema: Schema) => {
    const endpoint = endpointsOf(schema).find(({ method, path }) => method === route.method && path === route.path)
    if (endpoint === undefined) throw new Error(`a schema has no ${route.method} ${route.path}`)
    return { endpoint, offer: offerAt(endpoint) }
  })
  const headers = { ...deprecations(route.path), ...acceptQuery(route) }
  const hasHeaders = Object.keys(headers).length > 0
  const { load } = service.monitor
  const isFound = route.offers === 'found'
  const { judgeAgain, ...entry } = gate.of(route)
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    ...entry,
    handler: async (request, reply) => {
      const { current: schema } = service.store.schemas
      const current = answering(schema)
      const early = outgoingOf(request, reply, service, current.offer, schema)
      // The caller is not admitted yet: the form is only kept.
      if (request.signsInFirst !== null)
        return sendProblem(service.screens.keepForm(request.signsInFirst, early), early)
      if (route.where?.(early.path) === false) return answerNotFound(request, reply)
      if (hasHeaders) reply.headers(headers)
      const judged = judgeAgain(request, reply)
      const away = judged instanceof Promise ? await judged : judged
      if (away !== undefined) return sendProblem(away, early)
      const desk = deskFor(request, service)
      const { endpoint, offer } = desk.schema === schema ? current : answering(desk.schema)
      const outgoing = desk.schema === schema ? early : { ...early, schema: desk.schema, offer }
      if (endpoint.types !== undefined && !isWelcome(request.headers.accept, outgoing.forced, endpoint.types)) {
        return sendProblem(noSuchType(endpoint.types), outgoing)
      }
      const isLive =
        endpoint.live !== undefined && prefersLive(request.headers.accept, outgoing.forced, offer.representations)
      const chosen =
        isLive || isFound || endpoint.offers === 'content'
          ? jsonChoice
          : negotiate(request.headers.accept, outgoing.forced, offer)
      if ('unacceptable' in chosen) return sendProblem(notAcceptable(outgoing), outgoing)
      // A page depends on the reader's day, and a file as shown on their clock, so their profile is read first.
      if (isHtml(chosen) || isFound || asShown.test(request.url)) await service.roster.look()
      const read = readCall(request, endpoint, outgoing, chosen.representation, desk)
      if ('problem' in read) return sendProblem(read.problem, outgoing)
      const call = endpoint.resolves === undefined ? read : await endpoint.resolves(read)
      const handle = (isLive && endpoint.live) || endpoint.handle
      load.inFlight++
      try {
        // Other representations have the same query as this one.
        const asked = call.query === outgoing.query ? outgoing : { ...outgoing, query: call.query }
        const given = await handle(call)
        const sending =
          'available' in given ? await choose(given, call, asked) : { answer: given, chosen, outgoing: asked }
        const { answer, outgoing: answered } = isHtml(sending.chosen) ? await asScreen(sending, call) : sending
        const sent = sendAnswer(answer, sending.chosen, answered)
        // Awaiting a reply that has ended would cost a turn of the queue.
        return reply.raw.writableEnded ? undefined : sent
      } finally {
        load.inFlight--
      }
    },
  })
}

const asShown = /[?&]shown=true(?:&|$)/

/** An answer, with its request. */
interface Sending {
  readonly answer: Answer
  readonly chosen: Chosen
  readonly outgoing: Outgoing
}

/** The answer in the representation that is chosen among the available ones. */
async function choose({ available, answer }: OfferedAnswer, call: Call, asked: Outgoing): Promise<Sending> {
  const outgoing = { ...asked, offer: offerOf(available) }
  const chosen = negotiate(asked.request.headers.accept, asked.forced, outgoing.offer)
  if ('unacceptable' in chosen) return { answer: { problem: notAcceptable(outgoing) }, chosen: jsonChoice, outgoing }
  const { name, whole } = chosen.representation
  return { answer: await answer({ ...call, representation: name, whole }), chosen, outgoing }
}

/** The same for people. */
async function asScreen({ answer, outgoing }: Sending, call: Call): Promise<Pick<Sending, 'answer' | 'outgoing'>> {
  const { notice, cookie, ...seen } = await call.service.screens.show(answer, call, outgoing)
  if (cookie !== undefined) outgoing.reply.header('set-cookie', cookie)
  return { ...seen, outgoing: notice === undefined ? outgoing : { ...outgoing, notice } }
}

const isHtml = ({ representation }: Chosen): boolean => representation.name === 'html'

/** RFC 10008 §3: a collection says that it can be queried. */
const acceptQuery = ({ parameters }: Endpoint): Headers =>
  parameters === 'collection' ? { 'accept-query': JSON_OR_FORM.join(', ') } : {}

const jsonChoice = thingOffer.usual

function notAcceptable(outgoing: Outgoing): Problem {
  const { offer, query, request } = outgoing
  if (query.parameters.filter(({ name }) => name === 'format').length > 1) {
    return wrongParameter('format', reason('repeated'))
  }
  const available = offer.representations
  const others = isRead(request) ? alternateLinks(outgoing, available, undefined) : ''
  const link = withLink(undefined, others)
  return { ...notAvailable(available), ...(link !== '' && { headers: { link } }) }
}

/** The same for an endpoint with one fixed type. */
const noSuchType = (types: readonly string[]): Problem => ({
  code: 'not-acceptable',
  detail: { text: 'This is available as {types}.', with: { types: types[0] ?? '' } },
  extra: {
    available: types.slice(0, 1).map((mediaType) => {
      const format = representations.find(({ mediaTypes }) => mediaTypes[0] === mediaType)?.name
      return { ...(format !== undefined && { format }), mediaType }
    }),
  },
})
