import type { Headers } from '../http/contract/answer.ts'
import type { DescribedDoor } from '../http/contract/described-door.ts'
import type { Call, Service } from '../http/contract/endpoint.ts'
import type { Problem } from '../http/contract/problems/problem.ts'
import type { Method } from '../http/contract/route.ts'
import type { Around } from '../http/contract/write.ts'
import type { Schema } from '../model/declaration/schema.ts'
import type { Role } from '../values/role.ts'

/** Another protocol over the same declarations. The declaration is light; its room is loaded at the first request. */
export interface Door<N extends string = string> extends DescribedDoor {
  readonly name: N
  /** Depends only on the resources and operations, so it is the same in every schema of a service. */
  readonly routes: (schema: Schema) => readonly DoorRoute[]
  /** Headers that pages of other origins may send and read, in addition to the usual ones. */
  readonly headers?: { readonly request?: readonly string[]; readonly answer?: readonly string[] }
  readonly open: () => Promise<OpenRoom>
}

export interface DoorRoute {
  readonly method: Method
  /** Below the root; empty for the root itself. A last segment `*` is everything below. */
  readonly path: string
  /**
   * The least role that an address needs, by the resource or the operation that it names; undefined if there is
   * nothing, so that HEAD, OPTIONS and 405 follow from it. Without it everything is for readers.
   */
  readonly at?: (path: string) => Role | undefined
  /** The media types of the body; absent if it reads none. */
  readonly reads?: readonly string[]
}

/** Created once for a service, at the first request. */
export type OpenRoom = (service: Service) => Room

/** The implementation of a door. */
export interface Room {
  readonly answer: (call: DoorCall) => Promise<DoorResult>
  /** Writes any problem in the format of the protocol, including those that were found before the door was reached. */
  readonly tell: (problem: Problem, call: Knocking, sent?: unknown) => DoorAnswer
}

/** The result of a request; `sent` is the content that a problem's pointers refer to. */
export type DoorResult = DoorAnswer | { readonly problem: Problem; readonly sent?: unknown }

/** The facts about a request before it is admitted. */
export interface Knocking extends Pick<Call, 'path' | 'headers' | 'service' | 'schema'> {
  readonly method: string
  /** The URN of the request, which a problem names. */
  readonly instance: string
}

/** A request as a door sees it. */
export interface DoorCall
  extends Knocking,
    Pick<Call, 'params' | 'query' | 'actor' | 'role' | 'caller' | 'desk' | 'peer' | 'budget'> {
  /** The name of the door, which events have as their form. */
  readonly form: string
  /** The options of a write outside the content. */
  readonly around: Around
  /** The sent body; empty if there was none. */
  readonly bytes: Buffer
  /** Counts a reading part of a batch as a request; returns the reason to refuse it, or undefined. */
  readonly countPart: () => Problem | undefined
}

export interface DoorAnswer {
  readonly status: number
  readonly headers?: Headers
  /** Absent for an answer without a body. */
  readonly content?: string
  /** Instead of the content: texts that are sent as they are written. */
  readonly parts?: AsyncIterable<string>
  readonly contentType?: string
}
