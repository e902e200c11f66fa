import { html, type Markup } from '../../representations/markup/markup.ts'

/** A bar as long as a value is of the largest. */
export function bar(value: number, most: number): Markup {
  const rect = html`<rect width="${Number(((value / most) * 100).toFixed(2))}" height="10" rx="1"/>`
  return html`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${rect}</svg>`
}
