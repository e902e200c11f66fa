import { localPath } from '../../values/address.ts'
import { currency } from '../../values/kinds/codes.ts'
import { text } from '../../values/kinds/text.ts'
import { optional, readMembers, required } from '../../values/members.ts'
import type { Answer } from '../answer.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { CURRENCY_COOKIE } from '../negotiate/reader.ts'
import { refusalProblem } from '../respond/problems/problem.ts'

/** Keeps the currency that a reader wants sums in, in a cookie. decisions/0048 */
export const reportingCurrencyEndpoint: Endpoint = {
  method: 'POST',
  path: '/reporting-currency',
  role: 'reader',
  summary: 'Choose the currency of sums',
  offers: 'resource',
  pagesOnly: true,
  reads: ['application/x-www-form-urlencoded'],
  handle: chooseCurrency,
}

const members = { currency: required(currency), return: optional(text({ min: 0, max: 8192 })) }

const A_YEAR = 31_536_000

function chooseCurrency({ fields = new Map(), service, isSecure }: Call): Answer {
  const read = readMembers(members, Object.fromEntries(fields))
  if ('faults' in read) return { problem: refusalProblem({ code: 'invalid', faults: read.faults }) }
  const { baseUrl } = service.settings
  const path = baseUrl === '' ? '/' : new URL(`${baseUrl}/`).pathname
  const secure = isSecure || baseUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = `${CURRENCY_COOKIE}=${read.values.currency}; Max-Age=${A_YEAR}; Path=${path}; HttpOnly; SameSite=Lax${secure}`
  const back = localPath(read.values.return) ?? '/'
  return { status: 303, headers: { location: service.addresses.base + back, 'set-cookie': cookie } }
}
