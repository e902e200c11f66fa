import { requestBounds } from '../values/bounds.ts'
import { memoize } from '../values/memoize.ts'
import { type Language, languages } from './language.ts'

/** The person a page is written for. */
export interface Reader {
  readonly language: Language
  /** The language and region that numbers and dates are written for, such as `de-CH`. */
  readonly locale: string
  /** Undefined if it is unknown: instants are then shown in UTC and marked as such. */
  readonly timeZone: string | undefined
  /** The currency for sums. */
  readonly currency?: string | undefined
  /** Whose deals the home page shows, if the reader chose. */
  readonly day?: 'mine' | 'everyone' | undefined
  /** Whether the reader asked for what is for developers. */
  readonly developer?: boolean | undefined
  /** The full name of a user, if the reader may know it. */
  readonly fullName?: ((user: string) => string | undefined) | undefined
  /** Whether a user has the name, if the reader may know it. */
  readonly isUser?: ((name: string) => boolean) | undefined
  /** The text by which a field shows a user, if the reader may know it. */
  readonly typedName?: ((user: string) => string) | undefined
}

export interface ReadingPreferences {
  /** The language and region of a user's profile. */
  readonly locale?: string | null | undefined
  /** The Accept-Language header. */
  readonly accepted?: string | undefined
  readonly timeZone?: string | null | undefined
  readonly currency?: string | undefined
  readonly day?: Reader['day']
  readonly developer?: boolean | undefined
  readonly fullName?: Reader['fullName']
  readonly isUser?: Reader['isUser']
  readonly typedName?: Reader['typedName']
}

/** The profile decides, then the browser; the default is English. */
export function readerWith({ locale, accepted = '', timeZone, ...chosen }: ReadingPreferences): Reader {
  const known = locale === undefined || locale === null ? undefined : inLanguage(locale)
  return { ...(known ?? acceptedBy(accepted)), timeZone: timeZone ?? undefined, ...chosen }
}

type Speech = Pick<Reader, 'language' | 'locale'>

/** A browser sends the same header with every request. */
const acceptedBy = memoize((header): Speech => {
  const ranges = header.split(',', requestBounds.languages).map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((each) => each.trim())
    const quality = parameters.find((each) => each.startsWith('q='))?.slice('q='.length)
    return { tag, weight: quality === undefined ? 1 : Number(quality) }
  })
  for (const { tag } of ranges.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)) {
    const reading = inLanguage(tag)
    if (reading !== undefined) return reading
  }
  return inEnglish()
})

function inLanguage(tag: string): Speech | undefined {
  const locale = canonical(tag)
  if (locale === undefined) return undefined
  const language = languages.get(locale) ?? languages.get(locale.split('-', 1)[0] ?? '')
  return language && { language: language(), locale: locale === 'en' ? ENGLISH : locale }
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** English without a region puts the day before the month, as most of the world does. */
const ENGLISH = 'en-GB'

function inEnglish(): Speech {
  const language = languages.get('en')
  if (language === undefined) throw new Error('there are no English texts')
  return { language: language(), locale: ENGLISH }
}

export const anybody: Reader = { ...inEnglish(), timeZone: undefined }
