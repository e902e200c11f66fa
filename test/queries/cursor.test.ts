import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageLinks } from '../../src/http/respond/page-links.ts'
import { writeCursor } from '../../src/queries/cursor.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import type { Value } from '../../src/queries/query.ts'
import { readQueryString } from '../../src/queries/query-string.ts'
import { collections } from '../support/schema.ts'

const { customers, events } = collections

function sortOf(raw: string) {
  const parsed = parseQuery(customers, raw)
  assert.ok('query' in parsed)
  return parsed.query.sort
}

function afterOf(raw: string, values: readonly Value[]): string {
  return writeCursor(customers, sortOf(raw), values)
}

function faults(raw: string) {
  const parsed = parseQuery(customers, raw)
  return 'faults' in parsed ? parsed.faults.map(({ at }) => at.parameter) : []
}

test('a cursor brings back the values it was made of', () => {
  for (const values of [
    [18, 'Zoë "x" \u{1F600}', 7],
    [null, 'a', 1],
  ]) {
    const parsed = parseQuery(customers, `sort=age,-name&after=${afterOf('sort=age,-name', values)}`)
    assert.ok('query' in parsed)
    assert.deepEqual(parsed.query.after, values)
    assert.equal('page' in parsed.query, false)
  }
})

test('a value that is too long for an address is left out of a cursor', () => {
  const { deals } = collections
  const sort = parseQuery(deals, 'sort=description')
  assert.ok('query' in sort)
  const id = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
  const cursor = writeCursor(deals, sort.query.sort, ['x'.repeat(10_000), id])
  assert.ok(cursor.length < 100)
  const parsed = parseQuery(deals, `sort=description&after=${cursor}`)
  assert.ok('query' in parsed)
  assert.deepEqual([parsed.query.after?.at(-1), parsed.query.omitted], [id, [0]])
})

test('a cursor of another sort or collection, or one that was changed, is refused', () => {
  const cursor = afterOf('sort=age', [18, 7])
  assert.deepEqual(faults(`sort=age&after=${cursor}`), [])
  assert.deepEqual(faults(`sort=-age&after=${cursor}`), ['after'])
  assert.deepEqual(faults(`after=${cursor}`), ['after'])
  assert.deepEqual(faults('after='), ['after'])
  assert.deepEqual(faults('after'), ['after'])
  for (let at = 0; at < cursor.length - 1; at++) {
    const changed = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`
    assert.deepEqual(faults(`sort=age&after=${changed}`), ['after'], changed)
  }
})

test('a cursor that was forged with values of the wrong kind is refused', () => {
  for (const values of [['18', 7], [18, '7'], [18], [18, null], [18, 7, 7], [1.5, 7], [true, 7]] as Value[][]) {
    assert.deepEqual(faults(`sort=age&after=${afterOf('sort=age', values)}`), ['after'], JSON.stringify(values))
  }
})

test('a cursor says where to go on and where to go back from', () => {
  const parsed = parseQuery(customers, `sort=age&before=${afterOf('sort=age', [18, 7])}`)
  assert.ok('query' in parsed)
  assert.deepEqual([parsed.query.before, parsed.query.after, parsed.query.page], [[18, 7], undefined, undefined])
  assert.deepEqual(faults('before=x'), ['before'])
})

test('page, after and before exclude each other', () => {
  const cursor = afterOf('sort=age', [18, 7])
  assert.deepEqual(faults(`sort=age&before=${cursor}&after=${cursor}`), ['before'])
  assert.deepEqual(faults(`sort=age&before=${cursor}&page=1`), ['before'])
  assert.deepEqual(faults(`sort=age&page=2&after=${afterOf('sort=age', [18, 7])}`), ['after'])
})

test('the feed continues behind a sequence as it is shown', () => {
  for (const sequence of ['0000000000000042', '0001'.padEnd(24, '0').padEnd(39, '7')]) {
    const parsed = parseQuery(events, `after=${sequence}`)
    assert.ok('query' in parsed)
    assert.deepEqual(parsed.query.after, [sequence])
    assert.equal(writeCursor(events, parsed.query.sort, [sequence]), sequence)
    const down = parseQuery(events, 'sort=-sequence')
    assert.ok('query' in down)
    const back = parseQuery(events, `sort=-sequence&after=${writeCursor(events, down.query.sort, [sequence])}`)
    assert.ok('query' in back)
    assert.deepEqual(back.query.after, [sequence])
  }
  for (const bad of ['42', '00000000000000042', 'x'.repeat(16)])
    assert.ok('faults' in parseQuery(events, `after=${bad}`))
})

test('a link keeps the query as it was sent', () => {
  const raw = 'age%3E=18&name=a+b&page=3&%61fter=x&before=y&sort=-age'
  const page = { items: [], hasMore: true, hasLess: true, total: undefined, first: [1], last: [9] }
  const linksOf = (sent: string, place: object) => {
    const query = { filter: [], sort: sortOf(''), size: 5, count: false, refuseEmpty: false, ...place }
    return pageLinks('/customers', readQueryString(sent).parameters, customers, query, page)
  }
  const { self, first, prev, next } = linksOf(raw, { page: 3 })
  assert.equal(self, `/customers?${raw}`)
  assert.equal(first, '/customers?age%3E=18&name=a+b&sort=-age')
  assert.equal(prev, '/customers?age%3E=18&name=a+b&sort=-age&page=2')
  assert.equal(next, `/customers?age%3E=18&name=a+b&sort=-age&after=${afterOf('', [9])}`)
  assert.equal(linksOf('', { page: 3 }).prev, '/customers?page=2')
  assert.equal(linksOf('after=x', { after: [0] }).prev, `/customers?before=${afterOf('', [1])}`)
})
