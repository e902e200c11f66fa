/** The unit that limits count: an IPv4 address, or the /64 network that one IPv6 customer has. */
export function callerAddress(ip: string): string {
  if (!ip.includes(':')) return ip
  // Some proxies add the port, which differs for each connection.
  const [, v4, v6] = /^(?:([\d.]+):\d+|\[(.+)\](?::\d+)?)$/.exec(ip) ?? []
  const bare = v4 ?? v6
  if (bare !== undefined) return callerAddress(bare)
  if (ip.startsWith('::ffff:') && ip.includes('.')) return ip.slice(7)
  const [head = '', tail] = ip.split('%', 1)[0]?.split('::') ?? []
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...new Array<string>(zeros).fill('0'), ...last].slice(0, 4).join(':')
}
