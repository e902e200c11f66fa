import type { Cell } from '../cells/cell.ts'

/** Whether a number is shown as a day, by the code of its format. */
export type IsDay = boolean

/** The built-in formats that show a day (ECMA-376 §18.8.30); those for times alone are not among them. */
export const isBuiltInDay = (id: number): IsDay =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)

/** Whether a code such as `dd/mm/yyyy` shows a day: text in quotes or brackets, and escaped characters, show nothing. */
export const showsDay = (code: string): IsDay =>
  /[dy]/i.test(code.replaceAll(/"[^"]*"|\[[^[\]]*\]|\\.|_.|\*./g, '').split(';', 1)[0] ?? '')

const DAY = 86_400_000

/** The number of a cell; a day if it is shown as one. */
export function numberCell(written: string, isDay: IsDay, is1904: boolean): Cell {
  const number = Number(written)
  if (written.trim() === '' || !Number.isFinite(number)) return written
  if (!isDay) return { text: plainNumber(number), type: 'number' }
  return dayCell(number, is1904) ?? { text: plainNumber(number), type: 'number' }
}

/** Days since the end of 1899, which has a 29 February 1900 too many, or since 1904. */
function dayCell(serial: number, is1904: boolean): Cell | undefined {
  const days = is1904 ? serial + DAYS_TO_1904 : serial
  if (days < 1 || days >= LAST) return undefined
  const start = days < FEIGNED ? FIRST_DAY + DAY : FIRST_DAY
  // Spreadsheets compute with fractions of days; a millisecond is the finest that they show.
  const moment = new Date(start + Math.round(days * 86_400_000)).toISOString()
  const isWhole = moment.endsWith('T00:00:00.000Z')
  return isWhole ? { text: moment.slice(0, 10), type: 'date' } : { text: moment, type: 'instant' }
}

const FIRST_DAY = Date.UTC(1899, 11, 30)
const DAYS_TO_1904 = 1462
const FEIGNED = 60
/** The year 10000. */
const LAST = 2_958_466

/** Fifteen digits, as spreadsheets show them: 1234.56 is stored as 1234.5599999999999. Whole numbers have no such error. */
function plainNumber(number: number): string {
  if (Number.isSafeInteger(number)) return String(number)
  const rounded = Number(number.toPrecision(15))
  const text = String(rounded)
  return text.includes('e') ? rounded.toFixed(Math.abs(rounded) < 1 ? 15 : 0).replace(/\.?0+$/, '') : text
}
