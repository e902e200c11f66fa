import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Headers } from '../../contract/answer.ts'
import { alternateLinks } from '../../negotiate/alternates.ts'
import type { Chosen } from '../../negotiate/negotiation.ts'
import type { Outgoing } from '../../negotiate/outgoing.ts'
import { judgeRead, type Selected } from '../../request/preconditions.ts'
import { withLink } from '../page-links.ts'

export interface Headed {
  readonly headers?: Headers
  readonly cookies?: readonly string[]
}

export function addHeaders({ headers, cookies }: Headed, { reply, service }: Outgoing): void {
  if (service.state.closing) reply.header('connection', 'close')
  if (headers !== undefined) gatherHeaders(reply, headers)
  if (cookies !== undefined) for (const cookie of cookies) reply.header('set-cookie', cookie)
}

/** Links are appended; other headers are replaced. */
export function gatherHeaders(reply: FastifyReply, headers: Headers): void {
  const before = reply.getHeader('link')
  reply.headers(headers)
  if (before !== undefined && headers.link !== undefined) reply.header('link', `${before}, ${headers.link}`)
}

/** The same for large and small answers, because a small one may grow. */
export const VARY = 'Accept, Accept-Encoding'

/** Pages that show who has access are not stored by browsers. */
export const keptBy = ({ representation }: Chosen, { path }: Outgoing): string =>
  representation.name === 'html' && aboutAccess.test(path) ? 'no-store' : 'private, no-cache'

const aboutAccess = /^\/(?:users|audit)(?:\/|$)/

/** Pages are written in the reader's language. */
export const varyOf = (contentType: string): string =>
  contentType.startsWith('text/html') ? `${VARY}, Accept-Language` : VARY

export function addAlternates(
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

export const isRead = ({ method }: FastifyRequest): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'QUERY'

export const judge = (selected: Selected, { request, service, schema }: Outgoing): ReturnType<typeof judgeRead> =>
  judgeRead(request, selected, service.tags(schema))

/** A name for a file would describe content that is not sent. RFC 9110 §15.4.5 */
export const sendNotModified = ({ reply }: Outgoing): FastifyReply =>
  reply.removeHeader('content-disposition').code(304).send()
