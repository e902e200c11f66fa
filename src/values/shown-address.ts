import { isPostgres } from './database-address.ts'

/** A database's address without the password. */
export function shownAddress(address: string): string {
  if (!isPostgres(address)) return address
  const url = URL.parse(address)
  return url === null ? address.replace(/\/\/.*@/, '//') : `${url.protocol}//${url.host}${url.pathname}`
}

interface Listening {
  readonly host: string
  readonly port: number
}

/** `host:port`; an IPv6 address is in brackets. */
export const hostAndPort = ({ host, port }: Listening): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Where this machine reaches what listens there. */
export const reachedAt = ({ host, port }: Listening): string =>
  hostAndPort({ host: host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port })
