import type { DescribedDoor } from '../../http/contract/described-door.ts'
import { type Group, groups } from '../../http/contract/description.ts'
import type { Endpoint } from '../../http/contract/endpoint.ts'
import { problemTypes } from '../../http/contract/problems/problem-types.ts'
import { documentedPath } from '../../http/describe/openapi/document.ts'
import type { Operation, Schema } from '../../model/declaration/schema.ts'
import { operationNamed, resourceNamed } from '../../model/schema/resources.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { representations } from '../../representations/representations.ts'
import { firstSteps } from './first-steps.ts'
import { listsSection } from './lists-section.ts'
import { code, plainTable } from './plain-table.ts'
import { referenceName, requestsFor, type ShownRequest } from './requests.ts'

/** The whole interface on one page: forms, operations and queries. */
export function overviewPage(
  schema: Schema,
  endpoints: readonly Endpoint[],
  doors: readonly DescribedDoor[],
  base: string,
  origin: string,
): Markup {
  const shown = formsOfHold(schema)
  return html`<p>A deal operation is declared once, and can be asked for in ${shown.length} forms. Choose an operation to see its parameters, its rules and its request in each of them. For programs there is <a href="${base}/openapi.json">OpenAPI</a>, for TypeScript <code>dealdesk/client</code>.</p>
${firstSteps(schema, base, origin)}
${operationsSection(schema, base)}
${formsSection(shown)}
${doors.length > 0 && doorsSection(doors, base)}
${listsSection(schema)}
${representationsSection()}
${writingSection()}
${problemsSection(schema, base)}
${othersSection(schema, endpoints)}`
}

function operationsSection({ operations }: Schema, base: string): Markup {
  const rows = operations.map((operation) => [
    html`<a href="${base}/docs/${referenceName(operation)}">${referenceName(operation)}</a>`,
    whatItDoes(operation),
    code(
      Object.entries(operation.params)
        .map(([param, { required }]) => (required ? param : `${param}?`))
        .join(', '),
    ),
    code(operation.words.event),
  ])
  return html`<section aria-labelledby="operations">
<h2 id="operations">${operations.length} operations</h2>
${plainTable(['Operation', 'What it does', 'Parameters', 'Event'], rows)}</section>
`
}

/** The effect of an operation, as its declaration says. */
function whatItDoes({ title, on, to, changes, removes, differences, lasting }: Operation): string {
  if (to === 'nothing') return `${title}.`
  if (removes) return `Removes the ${on.name} for good.`
  if (lasting) return `${title}: it stays in the history, and no field changes.`
  if (differences) return 'Sets the fields that are sent.'
  return changes.length === 0 ? `${title}.` : `${title}: sets ${changes.join(', ')}.`
}

/** The operation `hold` in every form, with the first of several words. */
function formsOfHold(schema: Schema): readonly ShownRequest[] {
  const hold = operationNamed('hold', resourceNamed(schema, 'deal'))
  const shown = hold === undefined ? [] : requestsFor(hold)
  return shown.filter(({ form }, at) => shown.findIndex((other) => other.form === form) === at)
}

function formsSection(forms: readonly ShownRequest[]): Markup {
  const rows = forms.map(({ title, method, path, body, success }) => [
    title,
    code(`${method} ${path}`),
    code(JSON.stringify(body)),
    success,
  ])
  return html`<section aria-labelledby="forms">
<h2 id="forms">${forms.length} forms</h2>
${plainTable(['Form', 'Request', 'Body', 'Answers'], rows, 'Hold, in each of them')}</section>
`
}

function doorsSection(doors: readonly DescribedDoor[], base: string): Markup {
  const rows = doors.map(({ name, title, at, idea }) => [
    html`<a href="${base}/docs/doors/${name}">${title}</a>`,
    code(base + at),
    idea,
  ])
  return html`<section aria-labelledby="doors">
<h2 id="doors">Doors</h2>
<p>Other protocols, for the clients that people already have: the same operations, lists, rules and refusals.</p>
${plainTable(['Door', 'At', 'What it is'], rows)}</section>
`
}

function representationsSection(): Markup {
  const rows = representations.map(({ name, mediaTypes, carries }) => [
    code(mediaTypes.join(', ')),
    code(`.${name}`),
    carries('resource') ? 'everything' : 'lists',
  ])
  return html`<section aria-labelledby="representations">
<h2 id="representations">Representations</h2>
<p>By the suffix of the path, by <code>format</code> in the query, or by <code>Accept</code>, in this order.</p>
${plainTable(['Type', 'Suffix', 'Of'], rows)}</section>
`
}

const said: readonly (readonly [string, string])[] = [
  ['Idempotency-Key: "k-1"', 'decided once, however often it is sent; the same ids as those of commands'],
  ['If-Match: "7-…"', 'only when this is still the current revision; otherwise 412'],
  ['Prefer: return=minimal', 'no body back'],
  ['?dry-run=true', 'every check, and nothing is stored'],
]

function writingSection(): Markup {
  return html`<section aria-labelledby="writing">
<h2 id="writing">With every write</h2>
<dl>
${said.map(([sent, meaning]) => html`<dt><code>${sent}</code></dt><dd>${meaning}</dd>\n`)}</dl>
</section>
`
}

function problemsSection(schema: Schema, base: string): Markup {
  const entries = Object.entries(problemTypes(schema)).map(
    ([code, { status, title }]) => html`<li>${status} <a href="${base}/problems/${code}">${code}</a>: ${title}</li>
`,
  )
  return html`<section aria-labelledby="problems">
<h2 id="problems">Problems</h2>
<p>RFC 9457, in the representation that was asked for. Nothing is done when one is told.</p>
<ul>
${entries}</ul>
</section>
`
}

/** The groups other than operations on deals. */
const othersIn = ({ resources }: Schema): readonly Group[] => [
  ...resources.map(({ plural }) => label(plural)),
  ...resources.map(({ plural }) => `${label(plural)}: History`),
  ...['Events', 'Webhooks', 'Service'],
]

function othersSection(schema: Schema, endpoints: readonly Endpoint[]): Markup {
  const sections = othersIn(schema).flatMap((group) => {
    const own = endpoints.filter(({ describes }) => describes?.group === group)
    const shown = group.endsWith(': History') ? own.filter(({ path }) => path.includes('/history')) : own
    if (shown.length === 0) return []
    const rows = shown.map((endpoint) => [
      code(`${endpoint.method} ${documentedPath(endpoint)}`),
      endpoint.summary,
      endpoint.role,
    ])
    return [
      html`<h3>${group}</h3>
${groups[group] !== undefined && html`<p>${groups[group]}</p>\n`}${plainTable(['Request', 'What it gives', 'Role'], rows)}`,
    ]
  })
  return html`<section aria-labelledby="others">
<h2 id="others">Everything else</h2>
${sections}</section>
`
}
