import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LoggedRequests } from '../../config.ts'
import type { State } from '../../values/guard.ts'
import type { JsonTexts } from '../../values/json/texts.ts'
import type { Problem } from './problems/problem.ts'

// What a call and the service have, as their users see it; the rooms of http make them.

/** The other end of a request's connection. */
export interface Peer {
  /** Whether the request came over TLS, to the service or to a proxy that is trusted. */
  readonly isSecure: boolean
  /** Where the request comes from, as limits count it. */
  readonly address: string
  /** Where the connection comes from: the caller, or a proxy. */
  readonly nearest: string | undefined
  /** Aborted when the client disconnects. */
  readonly left: AbortSignal
}

/**
 * What one request may read, hold in memory and answer. What it read counts until its answer is sent, also where the
 * client is slow to read it. Beyond it a read is given up, wherever it is, as a search is that costs too much.
 * decisions/0024
 */
export interface AnswerBudget {
  /** Many reads are answered together: those that are too much are refused each for itself. */
  openBatch(): void
  /** Before at most so many things are read. */
  beforeReading(things: number): void
  /** What was read, and is held until the answer is sent. */
  hold(texts: JsonTexts): void
  /** What was read is in the answer by now: its memory is given back before that is sent. */
  release(): void
  /** What a part of a batch answers; the reason why it cannot be answered. */
  answer(bytes: number): Problem | undefined
}

export interface RequestLog {
  /** Logs every request, or again those that the setting names. Answers which are logged from now on. */
  readonly logAll: (isWanted: boolean) => LoggedRequests
  /** The address is that of the beginning: a connection that has ended has none. */
  readonly logAnswer: (request: FastifyRequest, reply: FastifyReply, client: string, milliseconds: number) => void
  readonly logUnread: OnUnread
}

/** Called for an answer to what could not be read as a request. */
export type OnUnread = (answer: { readonly id: string; readonly status: number; readonly bytes: number }) => void

/** The cookie of a session: written at the sign-in, read at the gate. */
export interface SessionCookie {
  /** The token in a Cookie header. */
  readonly read: (header: string | undefined) => string | undefined
  /** The header that sets it. `isSecure` says whether the request came over TLS. */
  readonly set: (token: string, isSecure: boolean) => string
  readonly clear: (isSecure: boolean) => string
}

/** A content coding of answers. */
export type Coding = 'zstd' | 'br' | 'gzip'

/** What determines the bytes of an answer besides the state. */
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
  /** The state of one of our tags, in any shape. */
  stateOf(tag: string): State | undefined
}
