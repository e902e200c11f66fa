import type { FastifyRequest } from 'fastify'
import { problemRepresentation, thingOffer } from '../negotiate/negotiation.ts'

/** Whether whoever asks is shown pages: a person in a browser. */
export function prefersPage({ headers, raw }: FastifyRequest): boolean {
  if (!(headers.accept ?? '').includes('text/html')) return false
  const { forced } = raw as { readonly forced?: string }
  return problemRepresentation(headers.accept, forced, thingOffer).representation.name === 'html'
}
