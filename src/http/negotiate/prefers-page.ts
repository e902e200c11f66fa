import type { FastifyRequest } from 'fastify'
import { problemRepresentation, thingOffer } from './negotiation.ts'

/** Whether whoever asks is shown pages: a person in a browser. */
export function prefersPage({ headers, raw }: FastifyRequest): boolean {
  const { forced } = raw as { readonly forced?: string }
  if (forced !== 'html' && !(headers.accept ?? '').includes('text/html')) return false
  return problemRepresentation(headers.accept, forced, thingOffer).representation.name === 'html'
}
