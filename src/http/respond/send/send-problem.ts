import type { FastifyReply } from 'fastify'
import { carrying } from '../../../representations/representations.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import { problemType } from '../../contract/problems/problem-types.ts'
import { problemMembers } from '../../contract/problems/told-problem.ts'
import { acceptedCoding } from '../../negotiate/content-coding.ts'
import { taggedName } from '../../negotiate/entity-tags.ts'
import { negotiate, problemRepresentation } from '../../negotiate/negotiation.ts'
import type { Outgoing } from '../../negotiate/outgoing.ts'
import { addAlternates, gatherHeaders, isRead, varyOf } from './answer-headers.ts'
import { codingOf, sendText } from './send-text.ts'

/** RFC 9457. A problem is always sent: in JSON if the negotiated representation cannot carry it. */
export function sendProblem(problem: Problem, outgoing: Outgoing): FastifyReply {
  const { request, reply, service, schema, forced, offer } = outgoing
  const chosen = problemRepresentation(request.headers.accept, forced, offer)
  const { status, title } = problemType(problem.code)
  if (chosen.representation.name === 'html') reply.headers(outgoing.service.htmlHeaders)
  if (service.state.closing) reply.header('connection', 'close')
  if (problem.headers !== undefined) gatherHeaders(reply, problem.headers)
  if (isRead(request) && hasAlternates(problem, outgoing)) addAlternates(chosen, outgoing, forProblems)
  if (problem.current !== undefined) {
    const { forReader } = problem.current
    const representation = representationOf(outgoing)
    reply.header('etag', service.tags(schema).tag(problem.current, { representation, forReader }))
  }
  const json = JSON.stringify({ ...problemMembers(problem, service.addresses), instance: instanceOf(request.id) })
  const screen = problem.screen ?? service.screens.problem(problem, outgoing)
  const document = { title, kind: 'problem', item: 'problem', json, ...(screen && { screen }) } as const
  reply.code(status).header('vary', varyOf(chosen.contentType))
  reply.header('cache-control', 'no-store').type(chosen.contentType)
  const body = chosen.representation.write(document, service.screens.around(outgoing, chosen))
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

export const instanceOf = (requestId: string): string => `urn:dealdesk:request:${requestId}`
