import { memoize } from '../../values/memoize.ts'

/** RFC 9110 §5.6.7, from a stored instant. */
export const httpDate = (instant: string): string => `${httpDay(instant.slice(0, 10))}${instant.slice(11, 19)} GMT`

// Most instants fall on a few days, so the text of a day is memoized.
const httpDay = memoize((day) => new Date(day).toUTCString().slice(0, 'Mon, 01 Jan 2024 '.length), 1000)

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const month = `(${months.join('|')})`
const time = String.raw`(\d{2}):(\d{2}):(\d{2})`
// The preferred format and the two obsolete ones: a recipient must read all three.
const imf = new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ${month} (\d{4}) ${time} GMT$`)
const rfc850 = new RegExp(
  String.raw`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d{2})-${month}-(\d{2}) ${time} GMT$`,
)
const asctime = new RegExp(String.raw`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} ([\d ]\d) ${time} (\d{4})$`)

/** The seconds since 1970 of an HTTP-date; undefined for other texts. */
export function readHttpDate(text: string): number | undefined {
  const first = imf.exec(text)
  if (first !== null) return secondsOf(Number(first[3]), first[2], first[1], first.slice(4))
  const second = rfc850.exec(text)
  if (second !== null) return secondsOf(fullYear(Number(second[3])), second[2], second[1], second.slice(4))
  const third = asctime.exec(text)
  return third === null ? undefined : secondsOf(Number(third[6]), third[1], third[2], third.slice(3, 6))
}

/** A two-digit year more than 50 years ahead is one of the past. */
function fullYear(short: number): number {
  const now = new Date().getUTCFullYear()
  const year = now - (now % 100) + short
  return year > now + 50 ? year - 100 : year
}

function secondsOf(
  year: number,
  name: string | undefined,
  day: string | undefined,
  [hour, minute, second]: readonly string[],
): number | undefined {
  const at = new Date(
    Date.UTC(year, months.indexOf(name ?? ''), Number(day), Number(hour), Number(minute), Number(second)),
  )
  // A leap second is read as the following one; other impossible times are not a date.
  const isReal = at.getUTCDate() === Number(day) || second === '60'
  return isReal && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60 ? at.getTime() / 1000 : undefined
}
