import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../contract/problems/problem.ts'
import type { Route } from '../contract/route.ts'
import type { Gate } from '../gate/gate.ts'
import type { Outgoing } from '../negotiate/outgoing.ts'

/** The open doors of a server. */
export interface ServedDoors {
  readonly routes: readonly Route[]
  /** The headers that pages of other origins may read, in addition to the usual ones. */
  readonly answerHeaders: readonly string[]
  /** Those that they may send to an address. */
  readonly requestHeaders: (path: string) => readonly string[]
  /** Whether an address belongs to a door. */
  readonly has: (path: string) => boolean
  /** Writes a problem in the format of the address's door; undefined if the address belongs to none. */
  readonly tell: (problem: Problem, outgoing: Outgoing) => FastifyReply | undefined
  readonly addTo: (app: FastifyInstance, gate: Gate, ways: Ways) => void
}

/** The parts of a server for every route. */
interface Ways {
  readonly outgoingOf: (request: FastifyRequest, reply: FastifyReply) => Outgoing
  readonly answerNotFound: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

export const noDoors: ServedDoors = {
  routes: [],
  answerHeaders: [],
  requestHeaders: () => [],
  has: () => false,
  tell: () => undefined,
  addTo: () => {},
}
