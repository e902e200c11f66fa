import { agoText, dateText, instantText } from '../../languages/formats.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { memoize } from '../../values/memoize.ts'

export const dateMarkup = (date: string): Markup => html`<time datetime="${date}">${dateText(date)}</time>`

export const instantMarkup = (instant: string): Markup =>
  html`<time datetime="${instant}">${instantText(instant)}</time>`

/** How long ago an instant was; `now` in milliseconds. */
export const agoMarkup = (instant: string, now: number): Markup =>
  html`<time datetime="${instant}">${agoText(instant, now)}</time>`

/** Days from one date to another; negative when the second comes first. */
export const daysBetween = (from: string, to: string): number => dayOf(to.slice(0, 10)) - dayOf(from.slice(0, 10))

const dayOf = memoize((date) => Math.round(Date.parse(date) / 86_400_000))
