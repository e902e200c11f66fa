import type { Schema } from '../../model/declaration/schema.ts'
import { type Collection, fieldOf, filterable } from '../../queries/collection.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { dialects } from '../../queries/dialects/dialects.ts'
import { type Comparison, type ComparisonName, comparisonNames } from '../../queries/expressions/comparison.ts'
import { namedQueries } from '../../queries/named-queries.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { otherNamesOf, ownSettingNames } from '../../queries/settings.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { code, plainTable } from './plain-table.ts'

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
  unknown: ['owner', ['true'], 'is no user'],
}

type Collections = ReturnType<typeof collectionsOf>

/** The usual spelling of a comparison in each dialect that has one. */
const spelled = (customers: Collection, comparison: Comparison): readonly string[] =>
  dialects.flatMap(({ spell }) => spell(customers, comparison).slice(0, 1).map(decodeURIComponent))

const filtersOf = ({ customers, deals }: Collections) =>
  comparisonNames.map((operator): AskedPart => {
    const [name, texts, meaning] = meanings[operator]
    const collection = customers.fields.has(name) ? customers : deals
    return [spelled(collection, { field: fieldOf(collection, name), operator, texts }).join(', '), meaning]
  })

/** The spellings that compare the key without naming it. */
const onKey = (customers: Collection): readonly string[] =>
  comparisonNames.flatMap((operator) =>
    spelled(customers, { field: fieldOf(customers, customers.key), operator, texts: ['5'] }).filter(
      (parameter) => !parameter.includes(customers.key),
    ),
  )

/** Every relation, by the collection that has it. */
const expandable = (collections: readonly Collection[]) =>
  collections
    .filter(({ relations }) => relations.size > 0)
    .map(({ name, relations }): AskedPart => {
      const asked = [...relations.keys()].map((relation) => `expand=${relation}`)
      return [asked.join(', '), `shown within ${name}, also within one`]
    })

/** A filter in each dialect that has whole filters. */
function wholeFilter(customers: Collection, raw: string): readonly string[] {
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

type AskedPart = readonly [spellings: string, meaning: string]

const askedOf = (known: Collections, collections: readonly Collection[]): readonly AskedPart[] => [
  ...filtersOf(known),
  [onKey(known.customers).join(', '), `the same on the ${known.customers.key}`],
  [
    wholeFilter(known.customers, 'or=(age.gte.65,children.gte.3)').join(', '),
    'at least one of them; and, or and not, nested',
  ],
  ['page=2, maxpagesize=100, after=…', 'which page; links say where it goes on'],
  ['sort=age,-name', 'in which order; also age desc, age.desc'],
  ['fields=id,age', 'which members, also of one thing'],
  ...expandable(collections),
  ['count=exact', 'how many in all'],
  ['group=country,createdAt.month', 'groups of items instead; dates by .year, .month, .week, .day'],
  ['measure=count,avg.age,max.age', 'what is computed of each group: count, sum, avg, min, max'],
  ['empty=404', 'a 404 when nothing matches'],
  ['shown=true', 'CSV and XLSX as the page has it: headings, labels, names, dates and decimals of the reader'],
]

/** The query options of every list, in each spelling. */
export function listsSection(schema: Schema): Markup {
  const known = collectionsOf(schema)
  const collections = Object.values(collectionsOf(schema))
  const rows = askedOf(known, collections).map(([spellings, meaning]) => [code(spellings), meaning])
  const fields = collections.map((collection) => {
    const names = filterable(collection).map(({ name }) => html`<code>${name}</code> `)
    return html`<dt>${collection.name}</dt><dd>${names}</dd>\n`
  })
  const named = namedQueries(schema).map(
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
