import { Markup } from '../../representations/html/markup.ts'
import { memoize } from '../../values/memoize.ts'

// Dates and instants need no escaping: the service writes them itself, with digits and punctuation only.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2026-11-30` as `30 Nov 2026`. */
export const dateText = (date: string): string =>
  `${Number(date.slice(8, 10))} ${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`

/** `2026-11` as `Nov`. */
export const monthText = (month: string): string => months[Number(month.slice(5, 7)) - 1] ?? month

export const dateMarkup = (date: string): Markup => Markup.of(`<time datetime="${date}">${dateText(date)}</time>`)

export const instantMarkup = (instant: string): Markup =>
  Markup.of(`<time datetime="${instant}">${dateText(instant)}, ${instant.slice(11, 16)} UTC</time>`)

/** How long ago an instant was; `now` in milliseconds. */
export const agoMarkup = (instant: string, now: number): Markup =>
  Markup.of(`<time datetime="${instant}">${agoText(instant, now)}</time>`)

function agoText(instant: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(instant)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`
  return minutes < 30 * 1440 ? `${Math.floor(minutes / 1440)} days ago` : dateText(instant)
}

/** Days from one date to another; negative when the second comes first. */
export const daysBetween = (from: string, to: string): number => dayOf(to.slice(0, 10)) - dayOf(from.slice(0, 10))

const dayOf = memoize((date) => Math.round(Date.parse(date) / 86_400_000))

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
