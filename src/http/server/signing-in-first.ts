import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requestBounds } from '../../values/bounds.ts'
import type { Dispatch, Service } from '../contract/endpoint.ts'
import type { Problem } from '../contract/problems/problem.ts'
import { prefersHtml } from '../negotiate/prefers-html.ts'

/** The sign-in page for a person who asks for a page and may not see it yet. */
export function signInPageFor({ code }: Problem, request: FastifyRequest, { addresses }: Service): string | undefined {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  // A wrong credential gets 401; people without one, or with an expired one, are redirected to the page.
  if (request.headers.authorization !== undefined) return undefined
  if (!isRead || (code !== 'unauthorized' && code !== 'set-up-required') || !prefersHtml(request)) return undefined
  if (code === 'set-up-required') return addresses.setUp
  const asked = request.originalUrl
  const address = asked === '/' ? addresses.signIn : `${addresses.signIn}?return=${encodeURIComponent(asked)}`
  return address.length <= requestBounds.address ? address : addresses.signIn
}

/**
 * Headers that say who sends the form, from where, and what they want to see. The page's form has already been checked
 * for its site.
 */
const passedOn = ['host', 'accept', 'accept-language', 'user-agent', 'x-forwarded-for', 'x-forwarded-proto'] as const

export const dispatchIn =
  (app: FastifyInstance): Dispatch =>
  async ({ path, content, cookie }, { headers, peer }) => {
    const passed = passedOn.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []))
    const answer = await app.inject({
      method: 'POST',
      url: path,
      headers: { ...Object.fromEntries(passed), cookie, 'content-type': 'application/x-www-form-urlencoded' },
      payload: content,
      ...(peer.nearest !== undefined && { remoteAddress: peer.nearest }),
    })
    const { 'set-cookie': cookies = [], ...others } = answer.headers
    const texts = Object.entries(others).map(([name, value]) => [name, String(value)])
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(texts),
      cookies: [cookies].flat(),
      text: answer.payload,
    }
  }
