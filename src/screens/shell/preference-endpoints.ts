import type { Answer } from '../../http/contract/answer.ts'
import type { Call, Endpoint } from '../../http/contract/endpoint.ts'
import { invalidBody } from '../../http/contract/problems/problem.ts'
import {
  CURRENCY_COOKIE,
  DAY_COOKIE,
  DEVELOPER_COOKIE,
  days,
  THEME_COOKIE,
  themes,
} from '../../http/negotiate/reader.ts'
import { localPath } from '../../values/address.ts'
import { currency } from '../../values/kinds/codes.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { choice, text } from '../../values/kinds/text.ts'
import { optional, readMembers, required } from '../../values/members.ts'

interface Preference {
  readonly path: string
  readonly summary: string
  /** The field of the form, and the cookie. */
  readonly cookie: string
  readonly kind: Kind<string>
}

const preferences: readonly Preference[] = [
  {
    path: '/reporting-currency',
    summary: 'Choose the currency of sums',
    cookie: CURRENCY_COOKIE,
    kind: currency,
  },
  {
    path: '/day',
    summary: 'Choose whose deals the home shows',
    cookie: DAY_COOKIE,
    kind: choice(days),
  },
  {
    path: '/theme',
    summary: 'Choose the colours of pages',
    cookie: THEME_COOKIE,
    kind: choice(['system', ...themes]),
  },
  {
    path: '/developer',
    summary: 'Choose whether pages show what is for developers',
    cookie: DEVELOPER_COOKIE,
    kind: choice(['true', 'false']),
  },
]

/** The targets of a reader's preferences. A cookie keeps them: each browser has its own. decisions/0027, 0047 */
export const preferenceEndpoints = preferences.map(
  ({ path, summary, cookie, kind }): Endpoint => ({
    method: 'POST',
    path,
    role: 'reader',
    summary,
    offers: 'resource',
    forPeople: true,
    reads: ['application/x-www-form-urlencoded'],
    handle: (call) => keep(cookie, kind, call),
  }),
)

const A_YEAR = 31_536_000

function keep(cookie: string, kind: Kind<string>, { fields = new Map(), service, peer }: Call): Answer {
  const members = { [cookie]: required(kind), return: optional(text({ min: 0, max: 8192 })) }
  const read = readMembers(members, Object.fromEntries(fields))
  if ('faults' in read) return { problem: invalidBody(read.faults) }
  const { baseUrl } = service.settings
  const path = baseUrl === '' ? '/' : new URL(`${baseUrl}/`).pathname
  const secure = peer.isSecure || baseUrl.startsWith('https:') ? '; Secure' : ''
  const kept = `${cookie}=${read.values[cookie]}; Max-Age=${A_YEAR}; Path=${path}; HttpOnly; SameSite=Lax${secure}`
  const back = localPath(read.values.return) ?? '/'
  return { status: 303, headers: { location: service.addresses.base + back, 'set-cookie': kept } }
}
