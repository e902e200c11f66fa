import { addDays } from '../values/kinds/time.ts'
import { memoize } from '../values/memoize.ts'
import type { Reader } from './reader.ts'
import { type Text, type Words, wordsFor } from './text.ts'

// Numbers, dates and instants as a reader writes them.

/** The formats of one locale, each made when it is first used: making one takes longer than a short page. */
const formatsIn = memoize((locale: string) => {
  const rules = made(() => new Intl.PluralRules(locale))
  const whole = made(() => new Intl.NumberFormat(locale))
  const ago = made(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }))
  const date = made(() => dateIn(locale, { dateStyle: 'medium' }))
  const numericDate = made(() => dateIn(locale, { year: 'numeric', month: '2-digit', day: '2-digit' }))
  const shortMonth = made(() => dateIn(locale, { month: 'short' }))
  const longMonth = made(() => dateIn(locale, { month: 'long', year: 'numeric' }))
  return {
    plural: memoize((count: string) => rules().select(Number(count))),
    number: memoize((value: string) => whole().format(Number(value)), MOST_KEPT),
    percent: made(() => new Intl.NumberFormat(locale, { style: 'percent' })),
    range: made(() => dateIn(locale, { dateStyle: 'medium' })),
    brief: made(() => new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 })),
    decimals: memoize(
      (least: string) =>
        new Intl.NumberFormat(locale, { minimumFractionDigits: Number(least), maximumFractionDigits: MOST_DECIMALS }),
    ),
    /** Lists show the same amounts and ages again and again. */
    decimal: memoize(
      (_key: string, format: Intl.NumberFormat, exact: string) => format.format(exact as Intl.StringNumericLiteral),
      MOST_KEPT,
    ),
    plain: memoize(
      (least: string) =>
        new Intl.NumberFormat(locale, {
          ...{ minimumFractionDigits: Number(least), maximumFractionDigits: MOST_DECIMALS, useGrouping: false },
        }),
    ),
    numericDate: memoize((text: string) => numericDate().format(Date.parse(text.slice(0, 10))), MOST_KEPT),
    date: memoize((text: string) => date().format(Date.parse(text.slice(0, 10))), MOST_KEPT),
    month: memoize((text: string) => shortMonth().format(Date.parse(`${text.slice(0, 7)}-01`))),
    longMonth: memoize((text: string) => longMonth().format(Date.parse(`${text.slice(0, 7)}-01`))),
    instant: memoize((timeZone: string) => instantIn(locale, timeZone)),
    /** Of texts such as `-3 hour`. */
    ago: memoize((text: string) => {
      const [count = '', unit = ''] = text.split(' ')
      return ago().format(Number(count), unit as Intl.RelativeTimeFormatUnit)
    }),
    list: made(() => new Intl.ListFormat(locale, { type: 'disjunction' })),
    enumeration: made(() => new Intl.ListFormat(locale, { type: 'unit', style: 'short' })),
    names: {
      currency: made(() => new Intl.DisplayNames(locale, { type: 'currency' })),
      region: made(() => new Intl.DisplayNames(locale, { type: 'region' })),
    },
    direction: made(() => new Intl.Locale(locale).getTextInfo().direction),
  }
})

/** Makes something once, when it is first used. */
function made<T>(make: () => T): () => T {
  let kept: { readonly value: T } | undefined
  return () => {
    kept ??= { value: make() }
    return kept.value
  }
}

function instantIn(locale: string, timeZone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return memoize((instant: string) => format.format(Date.parse(instant)), MOST_KEPT)
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

/** `39` as `39%`, or as `39 %`. */
export const percentText =
  (percent: number): Text =>
  (reader) =>
    formatsFor(reader)
      .percent()
      .format(percent / 100)
      .replace('-', '−')

/** The exact text of a decimal number, with at least this many decimals. */
export const decimalText =
  (exact: string, decimals: number): Text =>
  (reader) => {
    const { decimal, decimals: withDecimals } = formatsFor(reader)
    return decimal(`${decimals} ${exact}`, withDecimals(String(decimals)), exact)
  }

/** The same without grouped digits, as spreadsheets of the region read it. */
export const plainDecimalText =
  (exact: string, decimals: number): Text =>
  (reader) =>
    formatsFor(reader)
      .plain(String(decimals))
      .format(exact as Intl.StringNumericLiteral)

/** `2026-11-30` as `30/11/2026`. */
export const numericDateText =
  (date: string): Text =>
  (reader) =>
    formatsFor(reader).numericDate(date)

/** The separator of columns that spreadsheets of the region expect: a semicolon where numbers have a comma. */
export const separatorFor = (reader: Reader): ',' | ';' =>
  plainDecimalText('0.5', 1)(reader).includes(',') ? ';' : ','

/** Short, for charts: `1,234`, `56.7K`, `1.25M`. */
export const briefText = (value: number): Text =>
  Math.abs(value) < LEAST_BRIEF ? numberText(Math.round(value)) : (reader) => formatsFor(reader).brief().format(value)

const LEAST_BRIEF = 10_000

/** `2026-11-30` as `30 Nov 2026`. */
export const dateText =
  (date: string): Text =>
  (reader) =>
    formatsFor(reader).date(date)

/** From one date to another, both included, as short as possible: a whole month by its name. */
export const daysText =
  (from: string, until: string): Text =>
  (reader) => {
    const month = from.slice(0, 7)
    const isMonth = from.endsWith('-01') && until.startsWith(month) && addDays(until, 1).endsWith('-01')
    const formats = formatsFor(reader)
    return isMonth ? formats.longMonth(month) : formats.range().formatRange(Date.parse(from), Date.parse(until))
  }

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

/** How long it is until an instant, to the second within a minute; `now` in milliseconds. */
export function untilText(instant: string, now: number): Text {
  const seconds = Math.max(0, Math.ceil((Date.parse(instant) - now) / 1000))
  if (seconds >= 48 * 3600) return instantText(instant)
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [Math.round(seconds / 60), 'minute']
        : [Math.round(seconds / 3600), 'hour']
  return (reader) => formatsFor(reader).ago(`${count} ${unit}`)
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
    formatsFor(reader)
      .list()
      .format(words.map((word) => wordsFor(word, reader)))

/** `a, b, c`. */
export const eachOfText =
  (words: readonly Words[]): Text =>
  (reader) =>
    formatsFor(reader)
      .enumeration()
      .format(words.map((word) => wordsFor(word, reader)))

/** The name of a currency or country: the same in all regions of a language, because imports read these names. */
export const codeName =
  (type: 'currency' | 'region', code: string): Text =>
  ({ language }) =>
    formatsIn(language.tag).names[type]().of(code) ?? code

/** The direction in which the reader's language is written. */
export const direction: Text = (reader) => formatsFor(reader).direction() ?? 'ltr'

/** The date of an instant in a time zone. */
export const dayIn = (instant: string, timeZone: string | undefined): string =>
  timeZone === undefined ? instant.slice(0, 10) : dayFormat(timeZone).format(Date.parse(instant))

/** Swedish writes dates as ISO 8601 does. */
const dayFormat = memoize((timeZone: string) => new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }))
