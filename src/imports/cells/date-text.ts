import { languages } from '../../languages/language.ts'
import { fold } from '../../values/fold.ts'
import { memoize, onceFor } from '../../values/memoize.ts'
import type { DateOrder } from './reading.ts'

/** A date as people write it: 2026-12-31 for each order of day and month in which it exists. */
export type WrittenDate = { readonly [order in DateOrder]?: string }

/** The date in a cell, such as `15.03.27`, `Dec 31, 2026` or `31. Dezember 2026, 14:30`; undefined if it has none. */
export function writtenDate(cell: string): WrittenDate | undefined {
  return digit.test(cell) ? knownDate(cell).date : undefined
}

/** Columns have the same days again and again. */
const knownDate = memoize((cell: string) => ({ date: dateIn(cell.trim().replace(timeOfDay, '')) }), 4096)

/** A date with a time of day, and with its offset if the cell has one. */
export interface WrittenInstant {
  readonly date: WrittenDate
  readonly time: string
  readonly offset?: string
}

/** The date and time in a cell, such as `01.11.2026 14:30` or `Nov 1, 2026, 2:30 PM`; midnight if it has no time. */
export function writtenInstant(cell: string): WrittenInstant | undefined {
  const text = cell.trim()
  const [time = '', hours = '00', minutes = '00', seconds = '00', half, zone] = timeOfDay.exec(text) ?? []
  const date = digit.test(text) ? dateIn(text.slice(0, text.length - time.length)) : undefined
  if (date === undefined) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0)
  const clock = { date, time: `${String(hour).padStart(2, '0')}:${minutes}:${seconds}` }
  if (zone === undefined) return clock
  const [, sign = '+', offset = '00', rest = '00'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  return { ...clock, offset: `${sign}${offset}:${rest}` }
}

/** Whether the order of day and month decides which day it is. */
export const hasTwoDays = ({ dmy, mdy }: WrittenDate): boolean => dmy !== undefined && mdy !== undefined && dmy !== mdy

const digit = /\d/
const timeOfDay =
  /(?:T|,? +(?:at |um |à )?)(\d{1,2})[:.h](\d\d)(?::(\d\d)(?:[.,]\d+)?)?(?: ?([ap])\.?m\.?| Uhr)?(?: ?(Z|UTC|GMT|[+-]\d\d:?\d\d))?$/i

const yearFirst = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const numbers = /^(\d{1,2}) ?([./-]) ?(\d{1,2}) ?\2 ?(\d{4}|\d\d)\.?$/
const dayFirst =
  /^(\d{1,2})(?:\.|st|nd|rd|th|er|º)?[ /-]?(?:de |of )?(\p{Letter}+)\.?,?[ /-]?(?:del? )?(\d{4}|'?\d\d)$/iu
const monthFirst = /^(\p{Letter}+)\.?[ -]?(\d{1,2})(?:\.|st|nd|rd|th)?(?:, ?| |-)(\d{4}|'?\d\d)$/iu

function dateIn(written: string): WrittenDate | undefined {
  const text = written.replace(/^\p{Letter}{2,12}\.?,? +(?=\d|\p{Letter}+\.? \d)/u, withoutWeekday)
  const [, year = '', , month = '', day = ''] = yearFirst.exec(text) ?? []
  if (year !== '') return always(existing(Number(year), Number(month), Number(day)))
  const inNumbers = numbers.exec(text)
  if (inNumbers !== null) {
    const [, one = '', , two = '', last = ''] = inNumbers
    const dmy = existing(fullYear(last), Number(two), Number(one))
    const mdy = existing(fullYear(last), Number(one), Number(two))
    return dmy === undefined && mdy === undefined ? undefined : { ...(dmy && { dmy }), ...(mdy && { mdy }) }
  }
  const [, before = '', name = '', its = ''] = dayFirst.exec(text) ?? []
  if (name !== '') return always(named(its, name, before))
  const [, first = '', after = '', of = ''] = monthFirst.exec(text) ?? []
  return first === '' ? undefined : always(named(of, first, after))
}

const always = (date: string | undefined): WrittenDate | undefined =>
  date === undefined ? undefined : { dmy: date, mdy: date }

function named(year: string, name: string, day: string): string | undefined {
  const month = monthsIn(languages).get(fold(name))
  return month === undefined ? undefined : existing(fullYear(year), month, Number(day))
}

/** Two digits are a year from 1970 to 2069. */
function fullYear(digits: string): number {
  const year = Number(digits.replace("'", ''))
  if (digits.replace("'", '').length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}

function existing(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (year < 1000 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.toISOString().slice(0, 10)
}

type Languages = typeof languages

/** A beginning of the names of two months. */
const SEVERAL = 0

const withoutWeekday = (start: string): string => (weekdaysIn(languages).has(wordIn(start)) ? '' : start)

const wordIn = (text: string): string => fold(text).replaceAll(/[^\p{Letter}]/gu, '')

/** The names of days or months in every language. */
function* namesOf(unit: 'weekday' | 'month', all: Languages): Generator<readonly [name: string, number: number]> {
  for (const language of all.keys()) {
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { [unit]: style, day: 'numeric', timeZone: 'UTC' })
      for (let number = 1; number <= (unit === 'month' ? 12 : 7); number++) {
        const at = unit === 'month' ? Date.UTC(2026, number - 1, 5) : Date.UTC(2026, 0, number)
        yield [wordIn(format.formatToParts(at).find(({ type }) => type === unit)?.value ?? ''), number]
      }
    }
  }
}

// At the first date with a name: Intl takes a tenth of a second for them.
const weekdaysIn = onceFor((all: Languages) => new Set([...namesOf('weekday', all)].map(([name]) => name)))

/** By name, and by each beginning of three or more letters that belongs to one month alone. */
const monthsIn = onceFor((all: Languages): ReadonlyMap<string, number> => {
  // As spreadsheets and Austrians write them.
  const found = new Map(Object.entries({ mrz: 3, janner: 1, feber: 2 }))
  for (const [name, month] of namesOf('month', all)) {
    for (let length = Math.min(3, name.length); length <= name.length; length++) {
      const start = name.slice(0, length)
      found.set(start, (found.get(start) ?? month) === month ? month : SEVERAL)
    }
  }
  return new Map([...found].filter(([, month]) => month !== SEVERAL))
})
