import type { FastifyReply } from 'fastify'
import type { ScreenRequest } from '../contract/endpoint.ts'
import type { RepresentationOffer } from './negotiation.ts'

/** A request with its negotiated representation, ready for the answer. */
export interface Outgoing extends ScreenRequest {
  readonly reply: FastifyReply
  readonly forced: string | undefined
  /** The path's suffix with its dot, or empty. */
  readonly suffix: string
  readonly offer: RepresentationOffer
}
