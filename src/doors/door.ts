import type { Headers } from '../http/contract/answer.ts'
import type { DescribedDoor } from '../http/contract/described-door.ts'
import type { Call, Service } from '../http/contract/endpoint.ts'
import type { Problem } from '../http/contract/problems/problem.ts'
import type { Method } from '../http/contract/route.ts'
import type { Around } from '../http/contract/write.ts'
import type { Schema } from '../model/schema.ts'
import type { Role } from '../values/role.ts'

/** Another protocol over the same declarations. What is declared is light; its room is loaded at the first request. */
export interface Door<N extends string = string> extends DescribedDoor {
  readonly name: N
  /** Depends on the resources and operations alone, so that it holds for every schema of a service. */
  readonly routes: (schema: Schema) => readonly DoorRoute[]
  /** Headers that pages of other origins may send and read, besides the usual ones. */
  readonly headers?: { readonly request?: readonly string[]; readonly answer?: readonly string[] }
  readonly open: () => Promise<OpenRoom>
}

export interface DoorRoute {
  readonly method: Method
  /** Below the root; empty for the root itself. A last segment `*` is everything below. */
  readonly path: string
  /**
   * The role that an address needs at least, by the resource or the operation that it names; undefined if there is
   * nothing, so that HEAD, OPTIONS and 405 follow from it. Everything is read by readers without it.
   */
  readonly at?: (path: string) => Role | undefined
  /** The media types of the body; absent if it reads none. */
  readonly reads?: readonly string[]
}

/** Made once for a service, at the first request. */
export type OpenRoom = (service: Service) => Room

/** What a door does. */
export interface Room {
  readonly answer: (call: DoorCall) => Promise<DoorResult>
  /** Tells any problem in the way of the protocol, also those that were found before the door was reached. */
  readonly tell: (problem: Problem, call: Knocking, sent?: unknown) => DoorAnswer
}

/** What became of a request; `sent` is the content that the places of a problem are in, for who tells it to know. */
export type DoorResult = DoorAnswer | { readonly problem: Problem; readonly sent?: unknown }

/** What is known of a request before it is let in. */
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
  /** What stands around the content and speaks of a write. */
  readonly around: Around
  /** The body as it was sent; empty if there was none. */
  readonly bytes: Buffer
  /** Counts a part of a batch that reads as a request of its own; the reason to refuse it, or undefined. */
  readonly countPart: () => Problem | undefined
}

export interface DoorAnswer {
  readonly status: number
  readonly headers?: Headers
  /** Absent for an answer without a body. */
  readonly content?: string
  /** In place of the content: texts that are sent as they are made. */
  readonly parts?: AsyncIterable<string>
  readonly contentType?: string
}
