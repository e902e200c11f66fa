import { BlockList, isIP } from 'node:net'

/** Whether an IP address is public: not of this machine, its networks or its cloud. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, 'ipv4')
    case 6:
      return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
    default:
      return false
  }
}

// https://www.iana.org/assignments/iana-ipv4-special-registry and …/iana-ipv6-special-registry
const notPublic = new BlockList()
const v4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata services of clouds.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
const v6: readonly (readonly [string, number])[] = [
  // Teredo and other protocols, some of which embed an IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 embeds an IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
]
for (const [net, prefix] of v4) notPublic.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of v6) notPublic.addSubnet(net, prefix, 'ipv6')

/** Global unicast. Loopback, mapped, unique-local, link-local and NAT64 addresses lie outside. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
