import { tell } from '../../languages/tell.ts'
import type { Thing } from '../../model/declaration/resource.ts'
import type { Operation } from '../../model/declaration/schema.ts'
import type { Markings } from '../../model/nouns/deal/deal.ts'
import { DAYS_TO_RESTORE } from '../../model/nouns/deal/rules.ts'
import { whyNotNow } from '../../model/schema/resources.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { JsonSchema } from '../../values/kinds/kind.ts'
import type { Member } from '../../values/members.ts'
import { exampleAnswer } from './example-answer.ts'
import { code, plainTable } from './plain-table.ts'
import { requestsFor, type ShownRequest } from './requests.ts'

/** The page of an operation: its parameters, when it is allowed, its result, and its requests. */
export function operationPage(operation: Operation, docs: string): Markup {
  const { words, params } = operation
  const members = Object.entries(params)
  return html`<p><a href="${docs}">All operations</a></p>
<p>As a name it is <code>${operation.name}</code> or <code>${words.action}</code>. Each time it is done, the revision of the ${operation.on.name} grows by one and there is an event <code>${words.event}</code>.</p>
<section aria-labelledby="parameters">
<h2 id="parameters">Parameters</h2>
${members.length === 0 ? html`<p>None.</p>` : parametersTable(members)}
</section>
${operation.to !== 'nothing' && operation.on.name === 'deal' && statesSection(operation)}
${answerSection(operation)}<section aria-labelledby="forms">
<h2 id="forms">In every form</h2>
<p>Whichever is used, the ${operation.on.name}, the event and, when it is refused, the problem are the same.</p>
${requestsFor(operation).map((request) => requestMarkup(request, operation))}
</section>
`
}

/** The answer of the verb to the first example; the other forms show the entry, the command or nothing instead. */
function answerSection(operation: Operation): Markup | undefined {
  const answer = exampleAnswer(operation)
  if (answer === undefined) return undefined
  return html`<section aria-labelledby="answer">
<h2 id="answer">An example</h2>
<p>With these parameters:</p>
<pre tabindex="0"><code>${JSON.stringify(operation.examples[0], null, 2)}</code></pre>
<p>the answer is:</p>
<pre tabindex="0"><code>${answer.status}${answer.json && `\n\n${answer.json}`}</code></pre>
</section>
`
}

const parametersTable = (members: readonly (readonly [string, Member<unknown>])[]): Markup =>
  plainTable(
    ['Name', 'Needed', 'What it is'],
    members.map(([name, member]) => [code(name), needed(member), inWords(member.kind.schema)]),
  )

function needed({ required, kind, default: initial }: Member<unknown>): string {
  if (required) return 'yes'
  return initial === undefined || initial === null ? 'no' : `no: ${JSON.stringify(kind.write(initial))}`
}

/** A schema in words. */
function inWords(schema: JsonSchema): string {
  const { type, format, minimum, maximum, minLength, maxLength, anyOf } = schema
  const values = schema.enum as readonly string[] | undefined
  if (Array.isArray(anyOf)) return `${inWords(anyOf[0] as JsonSchema)}, or null`
  if (values !== undefined) return values.length > 12 ? `a code such as ${values[0]}` : `one of ${values.join(', ')}`
  if (format !== undefined) return formats[String(format)] ?? String(format)
  if (type === 'string') return `text of ${minLength ?? 0} to ${maxLength} characters`
  if (type === 'number') {
    const from = minimum === undefined ? 'above 0' : `from ${minimum}`
    return `an amount ${from} to ${maximum}, with at most the decimals of its currency`
  }
  if (type === 'integer') return `an integer from ${minimum} to ${maximum}`
  return String(type)
}

const formats: { readonly [format: string]: string } = {
  date: 'a date such as 2026-11-30',
  'date-time': 'an instant such as 2026-11-30T12:00:00.000Z',
  uuid: 'a UUID',
}

const now = '2026-11-15T00:00:00.000Z'
const open: Markings = { status: 'open', held: false, archived: false, amercement: 0, deletedAt: null }

/** A deal in each state that the rules distinguish. */
const states: readonly (readonly [string, Markings])[] = [
  ['open', open],
  ['open, with an amercement', { ...open, amercement: 100 }],
  ['open and held', { ...open, held: true }],
  ['completed', { ...open, status: 'completed' }],
  ['cancelled', { ...open, status: 'cancelled' }],
  ['archived', { ...open, status: 'completed', archived: true }],
  [`deleted, within ${DAYS_TO_RESTORE} days`, { ...open, deletedAt: now }],
]

function statesSection(operation: Operation): Markup {
  const rows = states.map(([state, deal]) => {
    const whyNot = whyNotNow(operation, deal as unknown as Thing, now)
    const status = deal.deletedAt === null ? 409 : 410
    return [state, whyNot === undefined ? 'allowed' : `${status}: ${tell(whyNot)}`]
  })
  return html`<section aria-labelledby="rules">
<h2 id="rules">When it is allowed</h2>
${plainTable(['The deal is', 'Then it is'], rows)}</section>
`
}

function requestMarkup({ title, method, path, body, success, replaces }: ShownRequest, { on }: Operation): Markup {
  const json = JSON.stringify(body, null, 2)
  // A number replaces it.
  const filled = on.kinds.id?.name === 'integer' ? json?.replaceAll('"{id}"', '{id}') : json
  const content = filled && `\nContent-Type: application/json\n\n${filled}`
  return html`<section>
<h3>${title}</h3>
<pre><code>${method} ${path}${content}</code></pre>
<p>Answers ${success}.${replaces && ` It replaces the ${on.name}: a field that is left out gets its default.`}</p>
</section>
`
}
