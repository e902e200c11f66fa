import { operations, resources } from '../../model/resources.ts'
import { fieldOf, filterable } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import { type Comparison, type ComparisonName, comparisonNames } from '../../queries/dialects/dialect.ts'
import { dialects } from '../../queries/dialects/dialects.ts'
import { namedQueries } from '../../queries/named-queries.ts'
import { parseQuery } from '../../queries/parse-query.ts'
import { otherNamesOf, ownSettingNames } from '../../queries/settings.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { representations } from '../../representations/representations.ts'
import type { Door } from '../doors/door.ts'
import type { Endpoint } from '../endpoint.ts'
import { type Group, groups } from '../openapi/description.ts'
import { documentedPath } from '../openapi/document.ts'
import { problemTypes } from '../respond/problems/problem-types.ts'
import { code, plainTable } from './plain-table.ts'
import { referenceName, requestsFor, type ShownRequest } from './requests.ts'

/** The whole interface on one page: forms, operations and queries. */
export function overviewPage(endpoints: readonly Endpoint[], doors: readonly Door[], base: string): Markup {
  const shown = formsOfHold()
  return html`<p>A deal operation is declared once, and can be asked for in ${shown.length} forms. Choose an operation to see its parameters, its rules and its request in each of them. For programs there is <a href="${base}/openapi.json">OpenAPI</a>, for TypeScript <code>dealdesk/client</code>.</p>
${operationsSection(base)}
${formsSection(shown)}
${doors.length > 0 && doorsSection(doors, base)}
${listsSection()}
${representationsSection()}
${writingSection()}
${problemsSection(base)}
${othersSection(endpoints)}`
}

function operationsSection(base: string): Markup {
  const rows = operations.map((operation) => [
    html`<a href="${base}/docs/${referenceName(operation)}">${referenceName(operation)}</a>`,
    operation.title,
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

/** The operation `hold` in every form, with the first of several words. */
function formsOfHold(): readonly ShownRequest[] {
  const hold = operations.find(({ name }) => name === 'hold')
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

function doorsSection(doors: readonly Door[], base: string): Markup {
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

const { customers } = collections
const meanings: {
  readonly [N in ComparisonName]: readonly [field: string, texts: readonly string[], meaning: string]
} = {
  eq: ['age', ['18'], 'equal'],
  ne: ['age', ['18'], 'not equal'],
  gte: ['age', ['18'], 'at least'],
  lte: ['age', ['30'], 'at most'],
  gt: ['age', ['18'], 'more'],
  lt: ['age', ['30'], 'less'],
  in: ['age', ['30', '41'], 'any of them'],
  contains: ['name', ['uller'], 'has this part, whatever its case, accents or width'],
  starts: ['name', ['mul'], 'begins so'],
  ends: ['name', ['ler'], 'ends so'],
  regex: ['name', ['^A'], 'matches (RE2)'],
  null: ['age', ['true'], 'has none'],
}

/** The usual spelling of a comparison in each dialect that has one. */
const spelled = (comparison: Comparison): readonly string[] =>
  dialects.flatMap(({ spell }) => spell(customers, comparison).slice(0, 1).map(decodeURIComponent))

const filters = comparisonNames.map((operator): readonly [spellings: string, meaning: string] => {
  const [name, texts, meaning] = meanings[operator]
  return [spelled({ field: fieldOf(customers, name), operator, texts }).join(', '), meaning]
})

/** The spellings that compare the key without naming it. */
const onKey = comparisonNames.flatMap((operator) =>
  spelled({ field: fieldOf(customers, customers.key), operator, texts: ['5'] }).filter(
    (parameter) => !parameter.includes(customers.key),
  ),
)

/** Every relation, by an example of one collection for each. */
const expandable = Object.values(collections).flatMap(({ name, relations }) =>
  [...relations.keys()].map((relation): readonly [string, string] => [
    `expand=${relation}`,
    `shown within ${name}, also within one`,
  ]),
)

/** Either of two comparisons, in each dialect that has whole filters. */
const either = wholeFilter('or=(age.gte.65,children.gte.3)')

function wholeFilter(raw: string): readonly string[] {
  const parsed = parseQuery(customers, raw)
  if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
  const { filter } = parsed.query
  const written = dialects.map(({ write }) => write?.(customers, filter)).filter((each) => each !== undefined)
  return written.map((each) => decodeURIComponent(each.replaceAll('+', ' ')))
}

const settings = [...ownSettingNames].flatMap((name): readonly string[] => {
  const others = otherNamesOf(name)
  return others.length === 0 ? [] : [`${name}: ${others.join(', ')}`]
})

const asked: readonly (readonly [spellings: string, meaning: string])[] = [
  ...filters,
  [onKey.join(', '), `the same on the ${customers.key}`],
  [either.join(', '), 'at least one of them; and, or and not, nested'],
  ['page=2, maxpagesize=100, after=…', 'which page; links say where it goes on'],
  ['sort=age,-name', 'in which order; also age desc, age.desc'],
  ['fields=id,age', 'which members, also of one thing'],
  ...expandable,
  ['count=exact', 'how many in all'],
  ['group=country,createdAt.month', 'groups of items instead; dates by .year, .month, .week, .day'],
  ['measure=count,avg.age,max.age', 'what is computed of each group: count, sum, avg, min, max'],
  ['empty=404', 'a 404 when nothing matches'],
]

function listsSection(): Markup {
  const rows = asked.map(([spellings, meaning]) => [code(spellings), meaning])
  const fields = Object.values(collections).map(
    (
      collection,
    ) => html`<dt>${collection.name}</dt><dd>${filterable(collection).map(({ name }) => html`<code>${name}</code> `)}</dd>
`,
  )
  const named = namedQueries.map(
    ({ name, title, parameter }) => html`<li><code>/query/${name}/{${parameter.name}}</code> ${title}</li>
`,
  )
  return html`<section aria-labelledby="lists">
<h2 id="lists">Asking lists</h2>
<p>Every list is asked in the same way. Different comparisons must all hold; the same one repeated means any of its values. An unknown name is 400, with the nearest known one.</p>
${plainTable(['In the query', 'Meaning'], rows)}<h3>Names that other interfaces have</h3>
<ul>
${settings.map((each) => html`<li><code>${each}</code></li>\n`)}</ul>
<h3>Fields</h3>
<dl>
${fields}</dl>
<h3>Named queries</h3>
<p>A bare list; 404 when it would be empty.</p>
<ul>
${named}</ul>
</section>
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

function problemsSection(base: string): Markup {
  const entries = Object.entries(problemTypes).map(
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

/** The groups besides operations on deals. */
const others: readonly Group[] = [
  ...resources.map(({ plural }) => label(plural)),
  ...resources.map(({ plural }) => `${label(plural)}: History`),
  ...['Events', 'Webhooks', 'Service'],
]

function othersSection(endpoints: readonly Endpoint[]): Markup {
  const sections = others.flatMap((group) => {
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
