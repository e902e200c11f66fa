import { html, type Markup } from '../../representations/html/markup.ts'

/** A bar as long as a value is of the largest. */
export const bar = (value: number, most: number): Markup =>
  html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
<rect width="${Number(((value / most) * 100).toFixed(2))}" height="10" rx="1"/></svg>`
