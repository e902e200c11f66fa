import { type ASTNode, GraphQLError } from 'graphql'
import type { Problem } from '../../../http/contract/problems/problem.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Relation } from '../../../model/schema/resources.ts'
import type { DataObject } from '../../../representations/read-document.ts'
import type { Pause } from '../../../store/port/take-turns.ts'
import type { DoorCall } from '../../door.ts'

/** The shared state of one request's resolvers. */
export interface GraphqlContext {
  readonly call: DoorCall
  /** The things related to one, read together with those of its neighbours. */
  readonly related: (relation: Relation, key: Key) => Promise<readonly DataObject[]>
  /** The index of the next change among several; undefined if there is one. */
  readonly nextChange: () => number | undefined
  /** Counts the answered values, and ends the request if there are too many. */
  readonly weigh: (value: unknown) => void
  /** Lets other requests have their turn between the items of lists. */
  readonly turn: Pause
}

/** A problem as an error; the answer shows its members as extensions. */
export const problemError = (problem: Problem, node?: ASTNode): GraphQLError =>
  new GraphQLError(problem.code, { ...(node && { nodes: node }), extensions: { problem } })
