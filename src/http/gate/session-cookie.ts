import type { Settings } from '../../config.ts'
import { LONGEST_SESSION } from '../../model/nouns/user/session.ts'
import { actorName } from '../../model/nouns/user/user.ts'
import type { SessionCookie } from '../contract/service-parts.ts'

const NAME = 'dealdesk_session'
/** It outlives the session on the server: the sign-in page after its end is filled in with it. */
const USER = 'dealdesk_user'
/** Browsers accept a cookie of this prefix only from the host itself, over TLS and for every path. */
const HOST_PREFIX = '__Host-'

export function sessionCookie({ baseUrl }: Pick<Settings, 'baseUrl'>): SessionCookie {
  const path = baseUrl === '' ? '/' : new URL(`${baseUrl}/`).pathname
  const isAlwaysSecure = baseUrl.startsWith('https:')
  const prefixed = HOST_PREFIX + NAME
  // If the prefix is always used, a plain cookie may come from another host of the domain.
  const names = path !== '/' ? [NAME] : isAlwaysSecure ? [prefixed] : [prefixed, NAME]
  const attributes = (isSecure: boolean): string =>
    `; Path=${path}; HttpOnly; SameSite=Lax${isSecure || isAlwaysSecure ? '; Secure' : ''}`
  const nameFor = (isSecure: boolean): string => ((isSecure || isAlwaysSecure) && path === '/' ? prefixed : NAME)
  const lasting = (isSecure: boolean): string => `; Max-Age=${LONGEST_SESSION / 1000}${attributes(isSecure)}`
  const ended = (isSecure: boolean): string => `; Max-Age=0${attributes(isSecure)}`
  return {
    read(header) {
      if (header === undefined) return undefined
      for (const name of names) {
        const token = valueIn(header, name)
        if (token !== undefined) return token
      }
      return undefined
    },
    user: userIn,
    set: (token, user, isSecure) => [
      `${nameFor(isSecure)}=${token}${lasting(isSecure)}`,
      `${USER}=${encodeURIComponent(user)}${lasting(isSecure)}`,
    ],
    clear: (isSecure) => [nameFor(isSecure), USER].map((name) => `${name}=${ended(isSecure)}`),
  }
}

const userInHeader = new RegExp(`(?:^|;\\s*)${USER}=([^;]+)`)

function userIn(header = ''): string | undefined {
  try {
    const name = decodeURIComponent(userInHeader.exec(header)?.[1] ?? '')
    return 'fault' in actorName.read(name) ? undefined : name
  } catch {
    return undefined
  }
}

const TOKEN_LENGTH = 43

/** Found without splitting: every request of a browser pays for it. */
function valueIn(header: string, name: string): string | undefined {
  for (let at = header.indexOf(name); at !== -1; at = header.indexOf(name, at + 1)) {
    const isWhole = (at === 0 || /[;\s]/.test(header[at - 1] ?? '')) && header[at + name.length] === '='
    if (!isWhole) continue
    const start = at + name.length + 1
    const end = header.indexOf(';', start)
    const value = header.slice(start, end === -1 ? undefined : end).trim()
    if (value.length === TOKEN_LENGTH) return value
  }
  return undefined
}
