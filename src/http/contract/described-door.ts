import type { Schema } from '../../model/declaration/schema.ts'
import type { Json } from '../../values/json/json.ts'
import type { Headers } from './answer-head.ts'
import type { SaidThing, Sample } from './sample.ts'

/** A door as documents and pages describe it. */
export interface DescribedDoor {
  readonly name: string
  readonly title: string
  /** A sentence about it, for people. */
  readonly idea: string
  /** The root of all its addresses. */
  readonly at: string
  /** Its formats whose bytes differ from the usual JSON at one address; tags name them. */
  readonly formats?: readonly string[]
  /** A simple reading request to start with. */
  readonly first: DoorRequest
  /** The request for an operation; undefined if the door cannot express it. */
  readonly request: (sample: Sample) => DoorRequest | undefined
  /** The answer to such a request, for people. */
  readonly answer: (said: Said, sample: Sample) => SaidAnswer
  /** The topics and sentences of its page. */
  readonly says: (schema: Schema) => readonly (readonly [topic: string, sentence: string])[]
}

/** A request as a client could send it. */
export interface DoorRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Headers
  readonly body?: Json
}

/** The result of an operation for people: the thing, or a problem as abbreviated JSON. */
export type Said = { readonly thing: SaidThing } | { readonly problem: string; readonly status: number }

/** Such an answer in the format of the door. */
export interface SaidAnswer {
  readonly status: number
  readonly headers?: Headers
  readonly body?: string
}
