import type { DoorCall } from '../door.ts'

/** Whether an address names a host other than those of the request and of BASE_URL. */
export function isElsewhere(address: string, { headers, service }: Pick<DoorCall, 'headers' | 'service'>): boolean {
  const [, protocol = 'http:', host] = /^([a-z]+:)?\/\/([^/?#]*)/i.exec(address) ?? []
  if (host === undefined) return false
  // The usual port depends on the protocol, which a proxy may have changed.
  const hostAt = (origin: string): string | undefined => URL.parse(origin.replace(/^https?:/, protocol))?.host
  const own = [`http://${headers.host}`, service.addresses.base].map(hostAt)
  return !/^https?:$/i.test(protocol) || !own.includes(hostAt(`http://${host}`) ?? '')
}
