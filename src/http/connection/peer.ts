import type { FastifyReply } from 'fastify'
import { callerAddress } from './caller-address.ts'

/** The other end of a request's connection. A class, because few requests ask for it, and each answer costs something. */
export class Peer {
  readonly #reply: FastifyReply
  #left: AbortController | undefined
  constructor(reply: FastifyReply) {
    this.#reply = reply
  }
  /** Whether the request came over TLS, to the service or to a proxy that is trusted. */
  get isSecure(): boolean {
    return this.#reply.request.protocol === 'https'
  }
  /** Where the request comes from, as limits count it. */
  get address(): string {
    return callerAddress(this.#reply.request.ip)
  }
  /** Where the connection comes from: the caller, or a proxy. */
  get nearest(): string | undefined {
    return this.#reply.request.socket.remoteAddress
  }
  /** Aborted when the client disconnects. */
  get left(): AbortSignal {
    if (this.#left === undefined) {
      const left = new AbortController()
      const { raw } = this.#reply
      // Not the request, which is closed as soon as its body was read.
      if (raw.destroyed) left.abort()
      else raw.once('close', () => left.abort())
      this.#left = left
    }
    return this.#left.signal
  }
}
