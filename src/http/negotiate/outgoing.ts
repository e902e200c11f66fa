import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Schema } from '../../model/schema.ts'
import type { QueryString } from '../../queries/query-string.ts'
import type { Notice } from '../../screens/notices/view.ts'
import type { Service } from '../contract/endpoint.ts'
import type { RepresentationOffer } from './negotiation.ts'

/** A request with its negotiated representation, ready for the answer. */
export interface Outgoing {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly service: Service
  readonly schema: Schema
  readonly path: string
  readonly query: QueryString
  readonly forced: string | undefined
  /** The path's suffix with its dot, or empty. */
  readonly suffix: string
  readonly offer: RepresentationOffer
  /** What a page tells of the form that led to it. */
  readonly notice?: Notice | undefined
}
