import type { FastifyRequest } from 'fastify'
import { offers, problemRepresentation } from '../negotiate/negotiation.ts'

/** Whether whoever asks is shown pages: a person in a browser. */
export function prefersPage({ headers, raw }: FastifyRequest): boolean {
  if (!(headers.accept ?? '').includes('text/html')) return false
  const { forced } = raw as { readonly forced?: string }
  return problemRepresentation(headers.accept, forced, offers.resource).representation.name === 'html'
}
