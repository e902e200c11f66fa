import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LoggedRequests } from '../../config.ts'
import type { State } from '../../values/guard.ts'
import type { JsonTexts } from '../../values/json/texts.ts'
import type { Problem } from './problems/problem.ts'

// The interfaces of a call's and the service's parts; the rooms of http implement them.

/** The other end of a request's connection. */
export interface Peer {
  /** Whether the request came over TLS, to the service or to a trusted proxy. */
  readonly isSecure: boolean
  /** The origin of the request for limits. */
  readonly address: string
  /** The origin of the connection: the caller, or a proxy. */
  readonly nearest: string | undefined
  /** Aborted when the client disconnects. */
  readonly left: AbortSignal
}

/**
 * The limits of one request's reads, memory and answer. Memory counts until the answer is sent, even if the client is
 * slow. Beyond the limits a read is abandoned, like a search that costs too much. decisions/0024
 */
export interface AnswerBudget {
  /** Many reads are answered together: those beyond the limits are refused separately. */
  openBatch(): void
  /** Called before at most this many things are read. */
  beforeReading(things: number): void
  /** The texts that were read, which are held until the answer is sent. */
  hold(texts: JsonTexts): void
  /** The texts are now part of the answer: their memory is released before it is sent. */
  release(): void
  /** Counts the answer of a part of a batch; returns the reason if it is too large. */
  answer(bytes: number): Problem | undefined
}

export interface RequestLog {
  /** Logs every request, or those that the setting selects. Returns which are logged from now on. */
  readonly logAll: (isWanted: boolean) => LoggedRequests
  /** The address is passed, because a connection that has ended has none. */
  readonly logAnswer: (request: FastifyRequest, reply: FastifyReply, client: string, milliseconds: number) => void
  readonly logUnread: OnUnread
}

/** Called for an answer to bytes that could not be read as a request. */
export type OnUnread = (answer: { readonly id: string; readonly status: number; readonly bytes: number }) => void

/** The cookie of a session: written at the sign-in, read at the gate. */
export interface SessionCookie {
  /** The token in a Cookie header. */
  readonly read: (header: string | undefined) => string | undefined
  /** The name of the user whose session it is or was; the browser may have sent anything. */
  readonly user: (header: string | undefined) => string | undefined
  /** The headers that set it and the name of its user. `isSecure` says whether the request came over TLS. */
  readonly set: (token: string, user: string, isSecure: boolean) => readonly [session: string, user: string]
  readonly clear: (isSecure: boolean) => readonly string[]
}

/** A content coding of answers. */
export type Coding = 'zstd' | 'br' | 'gzip'

/** The variant of an answer: it determines the bytes in addition to the state. */
export interface Variant {
  /** The name of the representation, or its content type if that is not the usual one. */
  readonly representation: string
  /** The content coding; absent if there is none. */
  readonly coding?: Coding | undefined
  /** Set if the links are those for a reader. */
  readonly forReader?: boolean | undefined
}

/** Strong entity tags, one for each state in each shape. The only place that writes and reads them. */
export interface EntityTags {
  tag(state: State & { readonly beside?: string | null }, shape: Variant): string
  /** The state of one of our tags, in any shape and by any model. */
  stateOf(tag: string): State | undefined
  /** The state for dates: none is before the last change of the model. */
  dated<S extends State>(state: S): S
}
