import type { Text } from '../../languages/text.ts'
import { type Hole, html, type Markup } from '../../representations/html/markup.ts'

export type Detail = readonly [name: Text, value: Hole]

/** Names and values below each other; a value that is `false` is left out with its name. */
export const details = (rows: readonly Detail[]): Markup =>
  html`<dl class="facts">${rows.map(([name, value]) => value !== false && html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

/** A word in place of a missing value. */
export const quiet = (text: Text): Markup => html`<span class="quiet">${text}</span>`
