import type { Text } from '../../languages/text.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'

interface Panel {
  /** When an update replaces its content: always, unless somebody fills in a form of it, or after a form of it was sent. */
  readonly live?: 'always' | 'unless-typing' | 'when-sent'
  /** A further class. */
  readonly kind?: string
}

/** A part of a page under a heading; `id` is unique in the page. */
export function panel(id: string, title: Hole, content: Hole, { live, kind }: Panel = {}): Markup {
  return html`<section class="panel${kind !== undefined && ` ${kind}`}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${live === undefined ? content : html`<div id="${id}"${liveness[live]}>${content}</div>`}</section>
`
}

const liveness = {
  always: html` data-live`,
  'unless-typing': html` data-live="unless-typing"`,
  'when-sent': html` data-live="when-sent"`,
}

export type Detail = readonly [name: Text, value: Hole]

/** Names and values below each other; a value that is `false` is left out with its name. */
export function details(rows: readonly Detail[]): Markup {
  const shown = rows.filter(([, value]) => value !== false)
  return html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

/** A word instead of a missing value. */
export const quiet = (text: Text): Markup => html`<span class="quiet">${text}</span>`

/** A text to copy, such as a secret. */
export const copied = (text: string): Markup =>
  html`<div class="codes"><div><pre data-copy tabindex="0"><code>${text}</code></pre></div></div>`
