const loopbackAddress = /^127(\.(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/

/** Whether a host name always means this machine. RFC 6761 §6.3, RFC 1122 §3.2.1.3, RFC 4291 §2.5.3. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || loopbackAddress.test(name)
}
