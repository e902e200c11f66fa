import type { FastifyRequest } from 'fastify'
import { anybody, type Reader, readerWith } from '../../languages/reader.ts'
import { currency } from '../../values/kinds/codes.ts'
import { timeZone as timeZoneKind } from '../../values/kinds/locale.ts'
import { memoize } from '../../values/memoize.ts'
import type { Service } from '../contract/endpoint.ts'

/** The reader of a page: the user's profile decides, then the browser's headers; most programs send none. */
export function readerOf(
  { headers, caller, admitted }: Pick<FastifyRequest, 'headers' | 'caller' | 'admitted'>,
  { roster }: Service,
): Reader {
  const profile = typeof caller?.user === 'string' ? roster.profile(caller.user) : undefined
  if (profile === undefined && headers.cookie === undefined && headers['accept-language'] === undefined)
    return admitted ? { ...anybody, ...roster.names } : anybody
  return readerWith({
    locale: profile?.locale,
    accepted: headers['accept-language'],
    timeZone: profile?.timeZone ?? knownZone(cookieNamed('zone', headers.cookie) ?? ''),
    ...(admitted && roster.names),
    currency: knownCurrency(cookieNamed(CURRENCY_COOKIE, headers.cookie) ?? ''),
    developer: profile?.developer ?? cookieNamed(DEVELOPER_COOKIE, headers.cookie) === 'true',
    day: days.find((day) => day === cookieNamed(DAY_COOKIE, headers.cookie)),
  })
}

/** The colours that the reader chose. */
export function themeOf({ headers }: Pick<FastifyRequest, 'headers'>): Theme | undefined {
  const chosen = cookieNamed(THEME_COOKIE, headers.cookie)
  return themes.find((theme) => theme === chosen)
}

/** Holds the colours that the reader chose. */
export const THEME_COOKIE = 'theme'
export const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

/** The time zone from the cookie that the script of the pages sets. */
const knownZone = memoize((sent) => {
  const read = timeZoneKind.read(sent)
  return 'value' in read ? read.value : null
})

/** Holds the currency that the reader wants sums in. */
export const CURRENCY_COOKIE = 'currency'

const knownCurrency = (sent: string): string | undefined => ('value' in currency.read(sent) ? sent : undefined)

/** Holds whether the home page shows the user's own deals. */
export const DAY_COOKIE = 'day'
export const days = ['mine', 'everyone'] as const

/** Holds whether a reader without a profile asked for what is for developers. */
export const DEVELOPER_COOKIE = 'developer'

function cookieNamed(name: string, header = ''): string | undefined {
  const found = header.split(';').find((each) => each.trimStart().startsWith(`${name}=`))
  return found?.slice(found.indexOf('=') + 1).trim()
}
