import { memoize } from '../values/memoize.ts'
import type { Reader } from './reader.ts'
import { type Text, type Words, wordsFor } from './text.ts'

// Numbers, dates and instants as a reader writes them.

/** The formats of one locale. Creating one takes longer than a page may. */
const formatsIn = memoize((locale: string) => ({
  plural: pluralIn(locale),
  number: numberIn(locale),
  brief: new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 }),
  decimals: memoize(
    (least: string) =>
      new Intl.NumberFormat(locale, { minimumFractionDigits: Number(least), maximumFractionDigits: MOST_DECIMALS }),
  ),
  /** Lists show the same amounts and ages again and again. */
  decimal: memoize(
    (_key: string, format: Intl.NumberFormat, exact: string) => format.format(exact as Intl.StringNumericLiteral),
    MOST_KEPT,
  ),
  date: memoize(
    (date: string) => dateIn(locale, { dateStyle: 'medium' }).format(Date.parse(date.slice(0, 10))),
    MOST_KEPT,
  ),
  month: memoize((month: string) => dateIn(locale, { month: 'short' }).format(Date.parse(`${month.slice(0, 7)}-01`))),
  longMonth: memoize((month: string) =>
    dateIn(locale, { month: 'long', year: 'numeric' }).format(Date.parse(`${month.slice(0, 7)}-01`)),
  ),
  instant: memoize((timeZone: string) => instantIn(locale, timeZone)),
  ago: agoIn(locale),
  list: new Intl.ListFormat(locale, { type: 'disjunction' }),
  enumeration: new Intl.ListFormat(locale, { type: 'unit', style: 'short' }),
  names: {
    currency: new Intl.DisplayNames(locale, { type: 'currency' }),
    region: new Intl.DisplayNames(locale, { type: 'region' }),
  },
  direction: new Intl.Locale(locale).getTextInfo().direction,
}))

function pluralIn(locale: string): (count: string) => Intl.LDMLPluralRule {
  const rules = new Intl.PluralRules(locale)
  return memoize((count: string) => rules.select(Number(count)))
}

function numberIn(locale: string): (value: string) => string {
  const format = new Intl.NumberFormat(locale)
  return memoize((value: string) => format.format(Number(value)), MOST_KEPT)
}

function instantIn(locale: string, timeZone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return memoize((instant: string) => format.format(Date.parse(instant)), MOST_KEPT)
}

/** Formats such as `-3 hour`. */
function agoIn(locale: string): (ago: string) => string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' })
  return memoize((ago: string) => {
    const [count = '', unit = ''] = ago.split(' ')
    return format.format(Number(count), unit as Intl.RelativeTimeFormatUnit)
  })
}

const MOST_DECIMALS = 20
const MOST_KEPT = 4096

/** A date belongs to no time zone. */
const dateIn = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })

const formatsFor = ({ locale }: Reader): ReturnType<typeof formatsIn> => formatsIn(locale)

export const pluralOf = (count: number, reader: Reader): Intl.LDMLPluralRule => formatsFor(reader).plural(String(count))

/** `1234` as `1,234`. */
export const numberText =
  (value: number): Text =>
  (reader) =>
    formatsFor(reader).number(String(value))

/** The exact text of a decimal number, with at least this many decimals. */
export const decimalText =
  (exact: string, decimals: number): Text =>
  (reader) => {
    const { decimal, decimals: withDecimals } = formatsFor(reader)
    return decimal(`${decimals} ${exact}`, withDecimals(String(decimals)), exact)
  }

/** Short, for charts: `1,234`, `56.7K`, `1.25M`. */
export const briefText = (value: number): Text =>
  Math.abs(value) < LEAST_BRIEF ? numberText(Math.round(value)) : (reader) => formatsFor(reader).brief.format(value)

const LEAST_BRIEF = 10_000

/** `2026-11-30` as `30 Nov 2026`. */
export const dateText =
  (date: string): Text =>
  (reader) =>
    formatsFor(reader).date(date)

/** `2026-11` as `Nov`. */
export const monthText =
  (month: string): Text =>
  (reader) =>
    formatsFor(reader).month(month)

/** `2026-11` as `November 2026`. */
export const longMonthText =
  (month: string): Text =>
  (reader) =>
    formatsFor(reader).longMonth(month)

/** An instant in the reader's time zone, or in UTC, marked as such. */
export const instantText =
  (instant: string): Text =>
  (reader) => {
    const { timeZone } = reader
    const text = formatsFor(reader).instant(timeZone ?? 'UTC')(instant)
    return timeZone === undefined ? `${text} UTC` : text
  }

/** The day of an instant in the reader's time zone. */
export const dayText =
  (instant: string): Text =>
  (reader) =>
    formatsFor(reader).date(dayIn(instant, reader.timeZone))

/** How long ago an instant was; `now` in milliseconds. */
export function agoText(instant: string, now: number): Text {
  const minutes = Math.floor((now - Date.parse(instant)) / 60_000)
  return minutes < 30 * 1440 ? (reader) => formatsFor(reader).ago(agoOf(minutes)) : dayText(instant)
}

function agoOf(minutes: number): string {
  if (minutes < 1) return '0 second'
  if (minutes < 60) return `${-minutes} minute`
  return minutes < 48 * 60 ? `${-Math.floor(minutes / 60)} hour` : `${-Math.floor(minutes / 1440)} day`
}

/** `a, b or c`. */
export const anyOfText =
  (words: readonly Words[]): Text =>
  (reader) =>
    formatsFor(reader).list.format(words.map((word) => wordsFor(word, reader)))

/** `a, b, c`. */
export const eachOfText =
  (words: readonly Words[]): Text =>
  (reader) =>
    formatsFor(reader).enumeration.format(words.map((word) => wordsFor(word, reader)))

/** The name of a currency or country. */
export const codeName =
  (type: 'currency' | 'region', code: string): Text =>
  (reader) =>
    formatsFor(reader).names[type].of(code) ?? code

/** The direction in which the reader's language is written. */
export const direction: Text = (reader) => formatsFor(reader).direction ?? 'ltr'

/** The date of an instant in a time zone. */
export const dayIn = (instant: string, timeZone: string | undefined): string =>
  timeZone === undefined ? instant.slice(0, 10) : dayFormat(timeZone).format(Date.parse(instant))

/** Swedish writes dates as ISO 8601 does. */
const dayFormat = memoize((timeZone: string) => new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }))
