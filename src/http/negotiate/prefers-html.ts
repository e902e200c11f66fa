import type { FastifyRequest } from 'fastify'
import { problemRepresentation, thingOffer } from './negotiation.ts'

/** Whether the client is a person in a browser, who gets pages. */
export function prefersHtml({ headers, raw }: FastifyRequest): boolean {
  const { forced } = raw as { readonly forced?: string }
  if (forced !== 'html' && !(headers.accept ?? '').includes('text/html')) return false
  return problemRepresentation(headers.accept, forced, thingOffer).representation.name === 'html'
}
