import type { Collection } from '../../../src/queries/collection.ts'
import { fc } from './fast-check.ts'
import {
  type Comparison,
  evaluate,
  isCombination,
  type Meant,
  type Plain,
  type PlainRow,
  type PlainSort,
} from './naive-evaluator.ts'
import { type Asked, type AskedTree, spelled, spelledTree } from './spelling.ts'

// Texts that tell the order of code points from that of UTF-16 units, and that SQL and addresses must quote.
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'A',
      'b',
      'é',
      'ß',
      '\uff83\uff9e',
      '\u682a',
      '_',
      '\\',
      '\u{1F600}',
      '\uFF5E',
      "'",
      '"',
      '%',
      '&',
      '=',
      '+',
      ',',
      ' x',
      '1',
      '\n',
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((parts) => `.${parts.join('')}`.trim())
const thousandths = fc.constantFrom(0, 1, 50, 100, 1500, 1550, 1555, 2000, 100_000)
const day = fc.constantFrom('2026-01-30', '2026-02-01', '2026-12-31')
const moment = day.map((each) => `${each}T10:00:00.000Z`)
const small = fc.integer({ min: 0, max: 4 })
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 3, nil: null })

export const customer = {
  name: text,
  email: maybe(fc.constantFrom('a@b.example', 'é@c.example')),
  age: maybe(small),
  children: maybe(small),
  country: maybe(fc.constantFrom('DE', 'FR')),
  createdAt: moment,
  updatedAt: moment,
  revision: fc.integer({ min: 1, max: 3 }),
}

export const deal = {
  name: text,
  price: thousandths,
  currency: fc.constantFrom('EUR', 'USD'),
  customerId: maybe(fc.integer({ min: 1, max: 3 })),
  owner: maybe(text),
  description: fc.oneof(fc.constant(''), text),
  pipeline: fc.constant('sales'),
  stage: fc.constantFrom('lead', 'qualified', 'proposal', 'negotiation', 'contract'),
  completionDate: maybe(day),
  status: fc.constantFrom('open', 'completed', 'cancelled'),
  held: fc.boolean(),
  holdReason: maybe(text),
  archived: fc.boolean(),
  amercement: thousandths,
  paid: thousandths,
  completedOn: maybe(day),
  acceptedBy: maybe(text),
  closingReason: maybe(text),
  deletedAt: maybe(moment),
  createdAt: moment,
  updatedAt: moment,
  revision: fc.integer({ min: 1, max: 3 }),
}

const customerIds = [1, 2, 3] as const

/** What a deal can be asked of its customer. */
export const dealsCustomer: Readonly<Record<string, fc.Arbitrary<Plain>>> = Object.fromEntries(
  Object.entries({ id: fc.constantFrom<Plain>(...customerIds), ...customer }).map(([name, values]) => [
    `customer.${name}`,
    values,
  ]),
)

/** The customers that deals have; some of them are not there. */
export const dealsCustomers: fc.Arbitrary<readonly PlainRow[]> = fc
  .array(fc.record(customer as Readonly<Record<string, fc.Arbitrary<Plain>>>), { maxLength: customerIds.length })
  .map((all) => all.map((row, at) => ({ ...row, id: customerIds[at] ?? null })))

/** Deals with what they can be asked of their customers. */
export const withCustomers = (deals: readonly PlainRow[], customers: readonly PlainRow[]): readonly PlainRow[] =>
  deals.map((row) => {
    const one = customers.find(({ id }) => id === row.customerId) ?? {}
    return { ...row, ...Object.fromEntries(Object.entries(one).map(([name, value]) => [`customer.${name}`, value])) }
  })

export const uuids = (count: number) =>
  Array.from({ length: count }, (_, n) => `01936f2e-5d3c-7a41-8f6b-${String((n * 7919) % 1000).padStart(12, '0')}`)

const patterns = ['a', '^\\.a', 'é$', '.', '[0-5]5$', '(?i)A', "'", 'true', '^1\\.5$', '^1\\.55$', '20', '\u{1F600}']

// Parts that occur in other cases, accents and widths, and signs that are wildcards in SQL.
const parts = [
  'a',
  'A',
  '.É',
  '.e',
  'x',
  '~',
  'SS',
  'ß',
  '\u30c7',
  '\uff83',
  '\u682a',
  '%',
  '_',
  '\\',
  "'",
  '1',
  '5',
  '-',
  'tRue',
  'lEa',
  '\u{1F600}',
]

/** What is compared with, where that is no value of the field. */
const own: { readonly [operator: string]: fc.Arbitrary<Plain> } = {
  ...Object.fromEntries(['contains', 'starts', 'ends'].map((each) => [each, fc.constantFrom(...parts)])),
  regex: fc.constantFrom(...patterns),
  null: fc.boolean(),
}

const textOf = (collection: Collection) => (field: string, value: Plain) =>
  collection.fields.get(field)?.kind.name === 'amount' ? String(Number(value) / 1000) : String(value)

/** Any comparisons on any fields, as they are meant, with an address that spells them. */
export function questions(collection: Collection, values: Readonly<Record<string, fc.Arbitrary<Plain>>>) {
  const written = textOf(collection)
  const comparison = fc.constantFrom(...Object.keys(values)).chain((field) => {
    // Only a description can be empty.
    const value = (values[field] ?? fc.constant('')).filter(
      (each) => each !== null && (each !== '' || field === 'description'),
    )
    const several = (one: fc.Arbitrary<Plain>) => fc.array(one, { minLength: 1, maxLength: 2 })
    const operator = fc.constantFrom(
      'eq',
      'ne',
      'gt',
      'gte',
      'lt',
      'lte',
      'in',
      'contains',
      'starts',
      'ends',
      'regex',
      'null',
    )
    return operator.chain((each) =>
      several(own[each] ?? value).chain((all) => {
        const one = { field, operator: each as Asked['operator'], values: all }
        const texts = all.map((plain) => (each in own ? String(plain) : written(field, plain)))
        return fc.constant<Asked>({ ...one, texts })
      }),
    )
  })
  const question = comparison.chain((asked) => spelled(collection, asked).map((address) => ({ one: asked, address })))
  const combination = treesOf(comparison).chain((tree) =>
    spelledTree(collection, tree).map((address) => ({ one: tree, address })),
  )
  const searchedFor = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 }).map((words) => {
    const field = collection.searched.map(({ name }) => name).join(',')
    const one: Comparison = { field, operator: 'search', values: words }
    return { one, address: `q=${encodeURIComponent(words.join(' '))}` }
  })
  const any = fc.oneof(
    { arbitrary: question, weight: 4 },
    { arbitrary: combination, weight: 3 },
    { arbitrary: searchedFor, weight: 1 },
  )
  return fc.array<Question>(any, { maxLength: 3 })
}

/** Combinations of comparisons, each with the values of one. */
function treesOf(comparison: fc.Arbitrary<Asked>): fc.Arbitrary<AskedTree> {
  const leaf = comparison.map(
    (asked): Asked =>
      asked.operator === 'in' ? asked : { ...asked, values: asked.values.slice(0, 1), texts: asked.texts.slice(0, 1) },
  )
  const { tree } = fc.letrec<{ tree: AskedTree; part: Asked | AskedTree }>((tie) => ({
    tree: fc
      .constantFrom('and', 'or', 'not')
      .chain((logic) =>
        fc
          .array(tie('part'), logic === 'not' ? { minLength: 1, maxLength: 1 } : { minLength: 1, maxLength: 2 })
          .map((of): AskedTree => ({ logic: logic as AskedTree['logic'], of })),
      ),
    part: fc.oneof({ maxDepth: 3, depthSize: 'small', withCrossShrink: true }, leaf, tie('tree')),
  }))
  return tree
}

export function sorts(collection: Collection) {
  const shown = [...collection.fields.values()].filter((field) => !field.hidden).map((field) => field.name)
  const indexed = shown.filter((name) => collection.fields.get(name)?.indexed)
  const fields = fc.uniqueArray(fc.oneof(fc.constantFrom(...indexed), fc.constantFrom(...shown)), { maxLength: 3 })
  return fields.chain((names) =>
    fc.tuple(...names.map((field) => fc.boolean().map((descending) => ({ field, descending })))),
  )
}

/** The same, each with a place for nulls. */
export const sortsWithNulls = (collection: Collection) =>
  sorts(collection).chain((sort) =>
    fc.tuple(...sort.map((each) => fc.boolean().map((nullsFirst) => ({ ...each, nullsFirst })))),
  )

interface Question {
  readonly one: Meant
  readonly address: string
}

/** The query that asks all of it, a page of that size at a time. */
export function searchFor(all: readonly Question[], sort: readonly PlainSort[], size: number): string {
  const order = sort.map(({ field, descending }) => `${descending ? '-' : ''}${field}`).join(',')
  const asked = [...all.map(({ address }) => address), ...(order === '' ? [] : [`sort=${order}`])]
  return [...asked, `maxpagesize=${size}`].join('&')
}

/** The keys of what it must find, in their order. */
export function keysFound(
  collection: Collection,
  rows: readonly PlainRow[],
  all: readonly Question[],
  sort: readonly PlainSort[],
): readonly Plain[] {
  const comparisons = withLiveDeals(
    collection,
    all.map(({ one }) => one),
  )
  const marked = rows.map((row) => ({ ...row, deleted: row.deletedAt !== null }))
  const order = [...sort, { field: collection.key, descending: sort.at(-1)?.descending ?? false }]
  return evaluate(marked, comparisons, order, textOf(collection)).map((row) => row[collection.key] ?? null)
}

/** Deleted deals are listed only when they are asked for. */
const withLiveDeals = (collection: Collection, all: readonly Meant[]): readonly Meant[] =>
  collection.name !== 'deals' || all.some(saysWhetherDeleted)
    ? all
    : [...all, { field: 'deleted', operator: 'eq', values: [false] }]

const saysWhetherDeleted = (meant: Meant): boolean =>
  isCombination(meant) ? meant.of.some(saysWhetherDeleted) : meant.field === 'deleted'
