import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { mark } from '../parts/marks.ts'
import { instantMarkup } from '../parts/moment.ts'
import { type Detail, details, panel } from '../parts/panel.ts'
import { errorText } from './receiver-state.ts'

/** A call of a receiver: the request, and the answer. */
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
  const rows: readonly Detail[] = [
    [say('When'), typeof at === 'string' && instantMarkup(at)],
    [say('Answer|of a receiver'), responseStatus ?? false],
    [say('Error'), error === null || error === `answered ${responseStatus}` ? false : errorText(error)],
    [say('Took'), duration !== null && say('{count} ms', { count: duration })],
  ]
  const state = isFine ? mark('done', say('Delivered')) : mark('off', say('Failed'))
  const headers = Object.entries(request?.headers ?? {}).map(([name, value]) => `${name}: ${value}\n`)
  const content = [
    details(rows),
    request && folded(say('What was sent'), `${headers.join('')}\n${request.body}`, false),
    answer !== null && answer !== '' && folded(say('What came back'), answer, !isFine),
  ]
  return panel(id, html`${title} ${state}`, content, { kind: 'try' })
}

const folded = (title: Text, text: string, isOpen: boolean): Markup =>
  html`<details${isOpen && html` open`}><summary>${title}</summary>
<pre tabindex="0"><code>${text}</code></pre></details>
`
