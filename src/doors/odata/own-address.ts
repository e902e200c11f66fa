import type { DoorCall } from '../door.ts'

/** An address may be relative to the root, or whole. */
export const belowRoot = (address: string): string => address.replace(/^(?:[a-z]+:\/\/[^/]*)?\/.*?odata\//i, '')

/** Whether an address names a host, and neither that of the request nor that of BASE_URL. */
export function isElsewhere(address: string, { headers, service }: Pick<DoorCall, 'headers' | 'service'>): boolean {
  const [, protocol = 'http:', host] = /^([a-z]+:)?\/\/([^/?#]*)/i.exec(address) ?? []
  if (host === undefined) return false
  // The usual port depends on the protocol, which a proxy may have changed.
  const hostAt = (origin: string): string | undefined => URL.parse(origin.replace(/^https?:/, protocol))?.host
  const own = [`http://${headers.host}`, service.addresses.base].map(hostAt)
  return !/^https?:$/i.test(protocol) || !own.includes(hostAt(`http://${host}`) ?? '')
}
