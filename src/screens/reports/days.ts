import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { beginningOf } from '../../languages/zones.ts'
import { addDays } from '../../values/kinds/time.ts'
import { daysBetween } from '../parts/moment.ts'

/** From one day to another, both included. */
export interface Days {
  readonly from: string
  readonly until: string
}

/** Common ranges of days, and the default of a report. */
export interface DayRange {
  usual(today: string): Days
  choices(today: string): readonly { readonly label: Text; readonly days: Days }[]
}

/** The days of whole months, counted from today's. */
function monthsFrom(today: string, first: number, last: number): Days {
  const until = addDays(`${monthAt(today, last + 1)}-01`, -1)
  return { from: `${monthAt(today, first)}-01`, until }
}

/** The month this many months after that of a day, such as 2026-11. */
function monthAt(day: string, months: number): string {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
}

const quarter = (today: string): Days => {
  const first = -((Number(today.slice(5, 7)) - 1) % 3)
  return monthsFrom(today, first, first + 2)
}

const year = (today: string): Days => ({ from: `${today.slice(0, 4)}-01-01`, until: `${today.slice(0, 4)}-12-31` })

/** The week from Monday on, counted from today's. */
function weekFrom(today: string, weeks: number): Days {
  const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7) + 7 * weeks)
  return { from: monday, until: addDays(monday, 6) }
}

/** The days before, as many of them: before whole months, as many whole months. */
export function daysBefore(days: Days): Days {
  const { from, until } = days
  const months = monthsOf(days).length
  const whole = monthsFrom(from, 0, months - 1)
  if (whole.from === from && whole.until === until) return monthsFrom(from, -months, -1)
  return { from: addDays(from, -1 - daysBetween(from, until)), until: addDays(from, -1) }
}

/** The same of days that are not over: as many of those before as have passed, so that like is compared with like. */
export function sameDaysBefore(days: Days, today: string): Days {
  const before = daysBefore(days)
  if (days.until <= today || days.from > today) return before
  const until = addDays(before.from, daysBetween(days.from, today))
  return { from: before.from, until: until < before.until ? until : before.until }
}

const past: DayRange['choices'] = (today) => [
  { label: say('This week'), days: weekFrom(today, 0) },
  { label: say('Last week'), days: weekFrom(today, -1) },
  { label: say('This month'), days: monthsFrom(today, 0, 0) },
  { label: say('Last month'), days: monthsFrom(today, -1, -1) },
  { label: say('This quarter'), days: quarter(today) },
  { label: say('Last 6 months'), days: monthsFrom(today, -5, 0) },
  { label: say('This year'), days: year(today) },
  { label: say('Last 12 months'), days: monthsFrom(today, -11, 0) },
]

export const lastMonths: DayRange = { usual: (today) => monthsFrom(today, -5, 0), choices: past }
export const thisMonth: DayRange = { usual: (today) => monthsFrom(today, 0, 0), choices: past }

export const comingMonths: DayRange = {
  usual: (today) => monthsFrom(today, 0, 5),
  choices: (today) => [
    { label: say('This month'), days: monthsFrom(today, 0, 0) },
    { label: say('This quarter'), days: quarter(today) },
    { label: say('Next 3 months'), days: monthsFrom(today, 0, 2) },
    { label: say('Next 6 months'), days: monthsFrom(today, 0, 5) },
    { label: say('Next 12 months'), days: monthsFrom(today, 0, 11) },
  ],
}

/** Every month of the days, such as 2026-11. */
export function monthsOf({ from, until }: Days): readonly string[] {
  const months: string[] = []
  for (let month = from.slice(0, 7); month <= until.slice(0, 7); month = monthAt(month, 1)) months.push(month)
  return months
}

/** The part of the days that is in a month. */
export function daysIn(month: string, { from, until }: Days): Days {
  const { from: first, until: last } = monthsFrom(month, 0, 0)
  return { from: first < from ? from : first, until: last > until ? until : last }
}

/** Conditions that a date is one of the days. */
export const dateWithin = (field: string, { from, until }: Days): string => `${field}.gte=${from}&${field}.lte=${until}`

/** Conditions that an instant is on one of the days, in a time zone. */
export const instantWithin = (field: string, { from, until }: Days, timeZone: string): string =>
  `${field}.gte=${beginningOf(from, timeZone)}&${field}.lt=${beginningOf(addDays(until, 1), timeZone)}`
