import type { FastifyReply } from 'fastify'
import type { Peer } from '../contract/service-parts.ts'
import { callerAddress } from './caller-address.ts'

/** A class, because few requests use it, and each value costs something. */
export class ConnectionPeer implements Peer {
  readonly #reply: FastifyReply
  #left: AbortController | undefined
  constructor(reply: FastifyReply) {
    this.#reply = reply
  }
  get isSecure(): boolean {
    return this.#reply.request.protocol === 'https'
  }
  get address(): string {
    return callerAddress(this.#reply.request.ip)
  }
  get nearest(): string | undefined {
    return this.#reply.request.socket.remoteAddress
  }
  get left(): AbortSignal {
    if (this.#left === undefined) {
      const left = new AbortController()
      const { raw } = this.#reply
      // Not the request, which closes as soon as its body was read.
      if (raw.destroyed) left.abort()
      else raw.once('close', () => left.abort())
      this.#left = left
    }
    return this.#left.signal
  }
}
