import type { FastifyRequest } from 'fastify'
import { callerAddress } from './caller-address.ts'

/** The other end of a request's connection. A class, because few requests ask for it, and each answer costs something. */
export class Peer {
  readonly #request: FastifyRequest
  constructor(request: FastifyRequest) {
    this.#request = request
  }
  /** Whether the request came over TLS, to the service or to a proxy that is trusted. */
  get isSecure(): boolean {
    return this.#request.protocol === 'https'
  }
  /** Where the request comes from, as limits count it. */
  get address(): string {
    return callerAddress(this.#request.ip)
  }
  /** Where the connection comes from: the caller, or a proxy. */
  get nearest(): string | undefined {
    return this.#request.socket.remoteAddress
  }
  /** Aborted when the client disconnects. */
  get left(): AbortSignal {
    return this.#request.signal
  }
}
