import type { DescribedDoor } from '../../http/contract/described-door.ts'
import type { Operation, Schema } from '../../model/declaration/schema.ts'
import { operationNamed, resourceNamed } from '../../model/schema/resources.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { curl } from './every-form.ts'

/** The page of a door: a first request, an operation, and its conventions. */
export function doorPage(
  { at, idea, first, request, says }: DescribedDoor,
  schema: Schema,
  base: string,
  origin: string,
): Markup {
  const hold = operationNamed('hold', resourceNamed(schema, 'deal')) as Operation
  const sample = { operation: hold, params: hold.examples[0], target: '{id}', command: '{command_id}' }
  const operation = request(sample)
  // With the path of BASE_URL in front.
  const below = <R extends { readonly path: string }>(asked: R): R => ({
    ...asked,
    path: base.replace(/^https?:\/\/[^/]+/, '') + asked.path,
  })
  return html`<p><a href="${base}/docs">All operations</a></p>
<p>${idea} It is at <code>${base}${at}</code>. The rules, the refusals, the events and the roles are those of every form; an event names the door as its <code>form</code>.</p>
<section aria-labelledby="first">
<h2 id="first">A first request</h2>
<pre data-copy tabindex="0"><code>${curl(below(first), origin, noParams)}</code></pre>
</section>
${
  operation &&
  html`<section aria-labelledby="operation">
<h2 id="operation">An operation</h2>
<pre data-copy tabindex="0"><code>${curl(below(operation), origin, noParams)}</code></pre>
</section>
`
}<section aria-labelledby="ways">
<h2 id="ways">How it says things</h2>
<dl>
${says(schema).map(([topic, sentence]) => html`<dt>${topic}</dt><dd>${sentence}</dd>\n`)}</dl>
</section>
`
}

const noParams: ReadonlyMap<string, string> = new Map()
