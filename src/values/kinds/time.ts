import { fault } from '../faults/fault.ts'
import type { Kind, Read } from './kind.ts'

const dateText = /^\d{4}-\d{2}-\d{2}$/
const instantText =
  /^\d{4}-\d{2}-\d{2}[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/

const readDate = (raw: unknown): Read<string> =>
  typeof raw === 'string' && dateText.test(raw) && isCalendarDate(raw)
    ? { value: raw }
    : fault('malformed', { wants: 'date' })

/** RFC 3339 full-date, a day that exists. */
export const date: Kind<string> = written('date', 'date', readDate)

const readInstant = (raw: unknown): Read<string> => {
  if (typeof raw !== 'string' || !instantText.test(raw) || !isCalendarDate(raw.slice(0, 10))) return notAnInstant
  // Already in UTC with milliseconds, as in exports.
  if (raw.length === WRITTEN) return { value: raw.toUpperCase() }
  const time = Date.parse(raw.toUpperCase())
  if (Number.isNaN(time)) return notAnInstant
  const value = new Date(time).toISOString()
  // An offset can lead out of the years 0001 to 9999.
  return value.length === WRITTEN && isCalendarDate(value) ? { value } : notAnInstant
}
const WRITTEN = '2026-11-30T12:00:00.000Z'.length
const notAnInstant = fault('malformed', { wants: 'instant' })

/** RFC 3339 date-time, kept in UTC with milliseconds, so that text order is time order. */
export const instant: Kind<string> = written('instant', 'date-time', readInstant)

/** The date some days later, or earlier. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

/** The later of now and the last written instant: a clock may go back, stored instants never do. */
export const notBefore = (last: string, now: string): string => (now < last ? last : now)

function written(name: Kind<string>['name'], format: string, read: (raw: unknown) => Read<string>): Kind<string> {
  return { name, schema: { type: 'string', format }, nullable: false, read, readText: read, write: (value) => value }
}

function isCalendarDate(text: string): boolean {
  const year = Number(text.slice(0, 4))
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  if (year === 0 || month < 1 || month > 12 || day < 1) return false
  return day <= (month === 2 && isLeap(year) ? 29 : (daysInMonth[month - 1] ?? 0))
}

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
