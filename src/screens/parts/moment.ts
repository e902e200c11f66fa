import { agoText, dateText, dayIn, instantText, untilText } from '../../languages/formats.ts'
import { html, Markup } from '../../representations/markup/markup.ts'
import { addDays } from '../../values/kinds/time.ts'
import { memoize } from '../../values/memoize.ts'

export const dateMarkup = (date: string): Markup => html`<time datetime="${date}">${dateText(date)}</time>`

/** The day of an instant in the reader's zone, or some days later. */
export const dayMarkup = (instant: string, later = 0): Markup =>
  Markup.written((reader) => {
    const day = dayIn(instant, reader.timeZone)
    return dateMarkup(later === 0 ? day : addDays(day, later)).for(reader)
  })

export const instantMarkup = (instant: string): Markup =>
  html`<time datetime="${instant}">${instantText(instant)}</time>`

/** How long ago an instant was; `now` in milliseconds. */
export const agoMarkup = (instant: string, now: number): Markup =>
  html`<time datetime="${instant}">${agoText(instant, now)}</time>`

/** How long it is until an instant. */
export const untilMarkup = (instant: string, now: number): Markup =>
  html`<time datetime="${instant}">${untilText(instant, now)}</time>`

/** Days from one date to another; negative if the second comes first. */
export const daysBetween = (from: string, to: string): number => dayOf(to.slice(0, 10)) - dayOf(from.slice(0, 10))

const dayOf = memoize((date) => Math.round(Date.parse(date) / 86_400_000))
