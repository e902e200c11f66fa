import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { instantMarkup } from '../parts/moment.ts'
import { details } from '../parts/panel.ts'
import { errorText } from './receiver-state.ts'

/** A call of a receiver: what was sent, and what came back. */
export interface ShownTry {
  readonly at?: string | null
  readonly request?: { readonly headers: { readonly [name: string]: string }; readonly body: string }
  readonly responseStatus: number | null
  /** The beginning of the answer. */
  readonly answer: string | null
  readonly error: string | null
  readonly duration: number | null
}

/** `id` is unique in the page. */
export function tryPanel(
  { at, request, responseStatus, answer, error, duration }: ShownTry,
  title: Text,
  id: string,
): Markup {
  const isFine = responseStatus !== null && responseStatus >= 200 && responseStatus < 300
  return html`<section class="try panel" aria-labelledby="${id}"><h2 id="${id}">${title} <span class="mark ${isFine ? 'done' : 'off'}">${
    isFine ? say('Delivered') : say('Failed')
  }</span></h2>
${details([
  [say('When'), typeof at === 'string' && instantMarkup(at)],
  [say('Answer|of a receiver'), responseStatus ?? false],
  [say('Error'), error === null || error === `answered ${responseStatus}` ? false : errorText(error)],
  [say('Took'), duration !== null && say('{count} ms', { count: duration })],
])}${
  request &&
  html`<details><summary>${say('What was sent')}</summary><pre tabindex="0"><code>${Object.entries(request.headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}\n${request.body}</code></pre></details>
`
}${answer !== null && answer !== '' && html`<details${!isFine && html` open`}><summary>${say('What came back')}</summary><pre tabindex="0"><code>${answer}</code></pre></details>\n`}</section>
`
}
