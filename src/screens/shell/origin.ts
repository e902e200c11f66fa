import type { Call } from '../../http/contract/endpoint.ts'

/** The origin at which the reader reaches the service, for texts that are copied from a page. */
export function originOf({ headers, peer, service }: Pick<Call, 'headers' | 'peer' | 'service'>): string {
  const [origin] = /^https?:\/\/[^/]+/.exec(service.addresses.base) ?? []
  const host = typeof headers.host === 'string' && /^[\w.:[\]-]+$/.test(headers.host) ? headers.host : 'localhost:8080'
  return origin ?? `${peer.isSecure ? 'https' : 'http'}://${host}`
}
