import { type LookupAddress, promises } from 'node:dns'
import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** A forbidden target; the message says why. */
export class RefusedTarget extends Error {
  override readonly name = 'RefusedTarget'
}

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

export const resolveByDns: Resolve = (host) => promises.lookup(host, { all: true })

/** The host of a URL without the brackets of IPv6. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')

/**
 * The addresses of a host, all of them public. One private address refuses the host: a name that also resolves to a
 * private address cannot be trusted. Connect to one of these; resolving again could give others.
 */
export async function resolveTarget(host: string, resolve: Resolve = resolveByDns): Promise<readonly LookupAddress[]> {
  const family = isIP(host)
  const addresses = family === 0 ? await resolveName(host, resolve) : [{ address: host, family }]
  if (addresses.length === 0) throw new RefusedTarget('the name has no address')
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new RefusedTarget('the address is not public')
  return addresses
}

/** RFC 6761 §6.3: localhost and its subdomains are loopback, whatever a resolver says. */
async function resolveName(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  if (/(^|\.)localhost\.?$/i.test(host)) throw new RefusedTarget('the address is not public')
  return resolve(host)
}
