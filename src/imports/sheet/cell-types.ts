import type { Cell } from '../cells/cell.ts'

/** How the style of a cell shows its number; `zeros` is the number of digits that it always shows, as of a postcode. */
export type NumberStyle = 'number' | 'day' | 'percent' | { readonly zeros: number }

/** The built-in formats (ECMA-376 §18.8.30); those for times alone show no day. */
export function builtInStyle(id: number): NumberStyle {
  const isDay = (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)
  if (isDay) return 'day'
  return id === 9 || id === 10 ? 'percent' : 'number'
}

/** By a code such as `dd/mm/yyyy`, `0.0%` or `00000`: text in quotes or brackets, and escaped characters, show nothing. */
export function styleOf(code: string): NumberStyle {
  const shown = code.replaceAll(/"[^"]*"|\[[^[\]]*\]|\\.|_.|\*./g, '').split(';', 1)[0] ?? ''
  if (/[dy]/i.test(shown)) return 'day'
  if (shown.includes('%')) return 'percent'
  return /^0{2,20}$/.test(code) ? { zeros: code.length } : 'number'
}

const DAY = 86_400_000

/** The number of a cell, as its style shows it. */
export function numberCell(written: string, style: NumberStyle, is1904: boolean): Cell {
  const number = Number(written)
  if (written.trim() === '' || !Number.isFinite(number)) return written
  const plain = { text: plainNumber(number), type: 'number' } as const
  if (style === 'number') return plain
  if (style === 'day') return dayCell(number, is1904) ?? plain
  if (style === 'percent') return { text: `${plainNumber(number * 100)}%`, type: 'percent' }
  return Number.isInteger(number) && number >= 0 ? { ...plain, text: plain.text.padStart(style.zeros, '0') } : plain
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
