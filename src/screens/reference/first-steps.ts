import type { Schema } from '../../model/declaration/schema.ts'
import { creationOf, resourceNamed } from '../../model/schema/resources.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { curl } from './every-form.ts'
import { exampleAnswer } from './example-answer.ts'

/** The first chapter: who one is, a first read, and a first write with its answer. */
export function firstSteps(schema: Schema, base: string, origin: string): Markup {
  const deal = resourceNamed(schema, 'deal')
  const create = creationOf(deal)
  const answer = exampleAnswer(create)
  const path = `${pathOf(base)}${deal.path}`
  const key = { Authorization: 'Bearer YOUR_KEY' }
  const sample = (request: Parameters<typeof curl>[0]): Markup =>
    html`<pre data-copy tabindex="0"><code>${curl(request, origin, noParams)}</code></pre>\n`
  return html`<section aria-labelledby="first">
<h2 id="first">First steps</h2>
<p>This service runs at <code>${origin}${pathOf(base)}</code>. While it has no users, it answers everybody on this computer, and no key is needed. Otherwise a program sends a key: sign in, open your profile and create one under “API keys”, or run <code>dealdesk key add</code>. A name and a password work too (<code>curl -u</code>).</p>
<h3>Read</h3>
<p>The five latest open deals:</p>
${sample({ method: 'GET', path: `${path}?status=open&sort=-updatedAt&maxpagesize=5`, headers: key })}<h3>Write</h3>
<p>A new deal, and what comes back:</p>
${sample({ method: 'POST', path: `${path}/`, headers: key, body: create.examples[0] })}${
  answer &&
  html`<pre tabindex="0"><code>${answer.status}\n\n${answer.json}</code></pre>
`
}<p>A refusal is a problem document with a stable <code>code</code> and what to do about it: <a href="${base}/problems">all of them</a>. With <code>?dry-run=true</code> a write is checked and nothing is stored.</p>
</section>
`
}

const noParams: ReadonlyMap<string, string> = new Map()
const pathOf = (base: string): string => base.replace(/^https?:\/\/[^/]+/, '')
