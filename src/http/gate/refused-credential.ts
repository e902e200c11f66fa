import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RefusedCredential } from '../../access/verification.ts'
import type { Told } from '../../languages/tell.ts'
import type { Problem } from '../contract/problems/problem.ts'
import { prefersHtml } from '../negotiate/prefers-html.ts'

/** A refused credential of any kind as a problem. */
export function refusedCredential(refused: RefusedCredential, detail: Told): Problem {
  if (refused.refused === 'unknown') return { code: 'wrong-password', detail }
  const { retryAfter } = refused
  const headers = { 'retry-after': String(retryAfter) }
  if (refused.refused === 'busy')
    return { code: 'unavailable', detail: 'Credentials cannot be checked right now.', headers }
  return {
    code: 'too-many-requests',
    detail: `Too many credentials were wrong; you may try again in ${retryAfter} s.`,
    headers,
  }
}

/**
 * RFC 9110 §11.6.1. Two fields, because browsers read one challenge from each. RFC 6750 §3.1: an unknown key is
 * distinguished from a missing one.
 */
export function challenge(
  request: FastifyRequest,
  reply: FastifyReply,
  detail: string,
  plainly: string,
  wrongKey = false,
): Problem {
  const bearer = wrongKey ? 'Bearer realm="Dealdesk", error="invalid_token"' : 'Bearer realm="Dealdesk"'
  // A browser would open its own dialog for Basic; people have a page.
  const isBrowser = request.headers['sec-fetch-mode'] !== undefined || prefersHtml(request)
  reply.header('www-authenticate', isBrowser ? bearer : ['Basic realm="Dealdesk", charset="UTF-8"', bearer])
  return { code: 'unauthorized', detail, plainly }
}

export const isBearer = (authorization: string | undefined): boolean =>
  authorization !== undefined && authorization.slice(0, 7).toLowerCase() === 'bearer '
