import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tell } from '../../src/languages/tell.ts'
import { buildSchema, NOTHING_ADDED } from '../../src/model/schema/build-schema.ts'
import { fieldOf } from '../../src/queries/collection.ts'
import { collectionNamed } from '../../src/queries/collections.ts'
import { readJsonFilter, writeJsonFilter } from '../../src/queries/expressions/json.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import { type Condition, type Filter, isTerm, type Operator, type Term, type Value } from '../../src/queries/query.ts'
import { readNumbersRaw } from '../../src/values/json/read-numbers-raw.ts'
import { fc } from '../support/inputs/fast-check.ts'
import { collections } from '../support/schema.ts'

const { deals } = collections

const values: { readonly [field: string]: fc.Arbitrary<Value> } = {
  name: fc.constantFrom('Ann', 'Äpfel', 'a"b', "o'c", '50%', ' ', 'null'),
  price: fc.constantFrom(0, 1, 1500, 1_000_000_000_000_000),
  customerId: fc.integer({ min: 1, max: 3 }),
  held: fc.boolean(),
  stage: fc.constantFrom('lead', 'contract'),
  completionDate: fc.constantFrom('2026-01-30', '2026-12-31'),
}

const one = (field: string, operator: Operator, value: fc.Arbitrary<Value>, most = 1): fc.Arbitrary<Term> =>
  fc
    .uniqueArray(value, { minLength: 1, maxLength: most })
    .map((all) => ({ field: fieldOf(deals, field), operator, values: all }))

const term: fc.Arbitrary<Term> = fc.oneof(
  ...Object.entries(values).flatMap(([field, value]) => [
    one(field, 'eq', value, 3),
    one(field, 'ne', value, 3),
    ...(['gt', 'gte', 'lt', 'lte'] as const).map((operator) => one(field, operator, value)),
    one(field, 'null', fc.boolean()),
    one(field, 'regex', fc.constantFrom('^A', 'x+', '\\d'), 2),
    one(field, 'like', fc.constantFrom('%ann%', 'a\\%_', 'ss%', '*s%', '\\\\*'), 2),
  ]),
)

const { filter } = fc.letrec<{ filter: Filter; condition: Condition }>((tie) => ({
  filter: fc.array(tie('condition'), { maxLength: 3 }),
  condition: fc.oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
    term,
    fc.record({ any: fc.array(tie('filter'), { maxLength: 3 }), negated: fc.boolean() }),
  ),
}))

/** Whether a filter holds where each of its terms is true or false. */
const holds = (all: Filter, truth: (term: Term) => boolean): boolean =>
  all.every((each) => (isTerm(each) ? truth(each) : each.any.some((inner) => holds(inner, truth)) !== each.negated))

/** A comparison that is true of an item exactly if its opposite is false of it gets the opposite truth. */
function truthOf(seed: number): (term: Term) => boolean {
  const of = ({ field, operator, values: all }: Term): boolean => {
    if (operator === 'ne') return !of({ field, operator: 'eq', values: all })
    if (operator === 'null' && all[0] === false) return !of({ field, operator, values: [true] })
    const text = `${field.name} ${operator} ${JSON.stringify(all)} ${seed}`
    return [...text].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 9973, 7) % 2 === 0
  }
  return of
}

test('a filter that is written as JSON and read again means the same', () => {
  fc.assert(
    fc.property(filter, (asked) => {
      const written = JSON.stringify(writeJsonFilter(asked))
      const read = readJsonFilter(deals, readNumbersRaw(written))
      assert.deepEqual(read.faults, [], written)
      for (let seed = 0; seed < 8; seed++) {
        assert.equal(holds(read.filter, truthOf(seed)), holds(asked, truthOf(seed)), written)
      }
    }),
    { numRuns: 300 },
  )
})

test('each digit of a number counts', () => {
  for (const [price, values] of [
    ['0.1', [100]],
    ['1.50', [1500]],
    ['1.5000', [1500]],
    ['1e2', [100_000]],
    ['1.5E+1', [15_000]],
    ['50e-1', [5000]],
    ['5e-3', [5]],
    ['5e-05', undefined],
    ['1e999', undefined],
    ['0.10000000000000000001', undefined],
    ['1.2345', undefined],
  ] as const) {
    const parsed = parseQuery(deals, `filter=${encodeURIComponent(`{"price":${price}}`)}`)
    const [first] = 'query' in parsed ? parsed.query.filter : []
    assert.deepEqual(first && 'values' in first ? first.values : undefined, values, price)
  }
  for (const [customer, values] of [
    ['1e2', [100]],
    ['70E-1', [7]],
    ['7.0', [7]],
    ['7.00', [7]],
    ['7.0e0', [7]],
    ['-0.0', [0]],
    ['1.5', undefined],
    ['"18"', undefined],
  ] as const) {
    const parsed = parseQuery(deals, `filter=${encodeURIComponent(`{"customerId":${customer}}`)}`)
    const [first] = 'query' in parsed ? parsed.query.filter : []
    assert.deepEqual(first && 'values' in first ? first.values : undefined, values, customer)
  }
})

test('a field of what is related stands under its path, or within its relation', () => {
  const read = (json: string) => {
    const parsed = parseQuery(deals, `filter=${encodeURIComponent(json)}`)
    return 'query' in parsed ? parsed.query.filter : parsed.faults
  }
  for (const [nested, dotted] of [
    ['{"customer":{"id":7}}', '{"customer.id":7}'],
    [
      '{"customer":{"age":{"gte":18},"country":["DE",null]}}',
      '{"customer.age":{"gte":18},"customer.country":["DE",null]}',
    ],
    [
      '{"or":[{"not":{"customer":{"country":"DE"}}},{"held":true}]}',
      '{"or":[{"not":{"customer.country":"DE"}},{"held":true}]}',
    ],
  ] as const) {
    assert.deepEqual(read(nested), read(dotted))
  }
  assert.deepEqual(read('{"customer":{"aeg":1}}'), [
    {
      code: 'no-field-of',
      with: { of: 'deals', near: 'customer.age' },
      at: { parameter: 'filter', pointer: '/customer/aeg' },
    },
  ])
})

test('an added field stands under its path, or within own, also of what is related', () => {
  const fields = [
    { on: 'deal', name: 'branch', title: 'Branch', kind: 'text' },
    { on: 'customer', name: 'branch', title: 'Branch', kind: 'text' },
  ] as const
  const added = collectionNamed(buildSchema({ ...NOTHING_ADDED, fields }), 'deals')
  const read = (json: string) => {
    const parsed = parseQuery(added, `filter=${encodeURIComponent(json)}`)
    return 'query' in parsed ? parsed.query.filter : parsed.faults
  }
  for (const [nested, dotted] of [
    ['{"own":{"branch":"a"}}', '{"own.branch":"a"}'],
    ['{"not":{"own":{"branch":{"regex":"^a"}}}}', '{"not":{"own.branch":{"regex":"^a"}}}'],
    ['{"customer":{"own":{"branch":["a",null]}}}', '{"customer.own.branch":["a",null]}'],
    ['{"customer":{"own.branch":"a"}}', '{"customer.own.branch":"a"}'],
  ] as const) {
    assert.deepEqual(read(nested), read(dotted))
  }
  assert.deepEqual(read('{"own":{"brnch":"a"}}'), [
    {
      code: 'no-field-of',
      with: { of: 'deals', near: 'own.branch' },
      at: { parameter: 'filter', pointer: '/own/brnch' },
    },
  ])
})

test('a member that is given twice is refused, wherever it stands', () => {
  for (const [sent, pointer] of [
    ['{"price":1,"price":20}', '/price'],
    ['{"or":[{"price":1}],"or":[{"price":2}]}', '/or'],
    ['{"price":{"gte":1,"gte":70}}', '/price/gte'],
    ['{"not":{"and":[{},{"name":"a","\\u006eame":"b"}]}}', '/not/and/1/name'],
  ] as const) {
    const parsed = parseQuery(deals, `filter=${encodeURIComponent(sent)}`)
    assert.deepEqual('faults' in parsed && parsed.faults, [
      { code: 'repeated', with: { wants: 'member' }, at: { parameter: 'filter', pointer } },
    ])
  }
})

test('whatever is sent as a filter is read or refused', () => {
  const word = fc.constantFrom(
    'and',
    'or',
    'not',
    'age',
    'name',
    'price',
    'gte',
    'in',
    'regex',
    'null',
    '__proto__',
    '',
  )
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom<unknown>(null, 1, -0, 1e300, 'x', '', true),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(word, tie('json'), { maxKeys: 3 }),
    ),
  }))
  fc.assert(
    fc.property(json, (sent) => {
      const parsed = parseQuery(deals, `filter=${encodeURIComponent(JSON.stringify(sent))}`)
      if ('query' in parsed) return
      for (const fault of parsed.faults) assert.ok(fault.at.parameter === 'filter' && tell(fault) !== '')
    }),
    { numRuns: 300 },
  )
})
