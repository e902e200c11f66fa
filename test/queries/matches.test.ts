import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Collection } from '../../src/queries/collection.ts'
import { isLike } from '../../src/queries/like-pattern.ts'
import { beginMatches, type MatchFacts, matches, readThing } from '../../src/queries/matches.ts'
import { parseQuery } from '../../src/queries/parse/parse-query.ts'
import type { Filter } from '../../src/queries/query.ts'
import { visibleTo } from '../../src/queries/visibility.ts'
import { collections, customer, deal } from '../support/schema.ts'

// That memory and both stores agree on any condition, `test/store/conditions.test.ts` finds out.

const now = '2026-11-15T10:00:00.000Z'
const ana = { ...customer.blank(7, now), name: 'Ana Ruiz', country: 'ES' }
const roof = {
  ...deal.blank('01936f2e-5d3c-7a41-8f6b-000000000001', now),
  ...{ name: 'Straßendach', price: 12_500, stage: 'proposal', customerId: 7 },
}
const known: MatchFacts = {
  related: ({ plural }, key) => (plural === 'customers' && key === 7 ? ana : undefined),
  hidden: ({ name }) => (name === 'stageSince' ? now : null),
  isUser: (text) => text.toLowerCase() === 'mila',
}

function filterOf(collection: Collection, asked: string): Filter {
  const parsed = parseQuery(collection, asked)
  assert.ok('query' in parsed, asked)
  return parsed.query.filter
}

const matchesRoof = (asked: string, facts?: MatchFacts): boolean =>
  matches(filterOf(collections.deals, asked), roof, facts)

test('admins see what belongs to others', () => {
  const owned: Collection = { ...collections.deals, privacy: { owner: 'owner' } }
  const sees = (isAdmin: boolean, owner: string): boolean =>
    matches(visibleTo({ name: 'ana', role: isAdmin ? 'admin' : 'editor' }, owned), { ...roof, owner })
  assert.deepEqual([sees(true, 'ben'), sees(false, 'ben'), sees(false, 'ana')], [true, false, true])
})

suite('a thing in memory', () => {
  test('is compared as a query compares it', () => {
    for (const asked of [
      ...[
        'name=Straßendach',
        'name.contains=SSEN',
        'name.starts=stras',
        'name.regex=ß',
        'price=12.5',
        'price.lt=12.501',
      ],
      ...['price.regex=^12\\.5$', 'stage.gt=qualified', 'stage.lt=contract', 'owner.ne=ana', 'owner.null=true'],
      ...['deleted=false', 'held=false', 'not.and=(owner.eq.ana)', 'or=(owner.eq.ana,price.gte.12)', 'q=dach'],
    ]) {
      assert.equal(matchesRoof(asked, known), true, asked)
    }
    for (const asked of [
      ...['name=straßendach', 'name.regex=ss', 'price.gt=12.5', 'stage.lt=lead', 'stage.gte=negotiation', 'owner.gt=a'],
      ...[
        'owner.regex=.',
        'owner.contains=a',
        'deleted=true',
        'not.and=(owner.neq.ana)',
        'or=(held.eq.true)',
        'q=dach wand',
      ],
    ]) {
      assert.equal(matchesRoof(asked, known), false, asked)
    }
  })

  test('is asked for what it refers to, and for what it does not show, through the facts', () => {
    assert.equal(matchesRoof('customer.country=ES', known), true)
    assert.equal(matchesRoof('q=ruiz', known), true)
    assert.equal(matchesRoof('stageSince.gte=2026-11-15T00:00:00Z', known), true)
    const alone = { ...known, related: () => undefined }
    assert.equal(matchesRoof('customer.country=ES', alone), false)
    assert.equal(matchesRoof('customer.country.ne=ES', alone), true)
    assert.throws(() => matchesRoof('customer.country=ES'), /customers, which nobody knows/)
    assert.throws(() => matchesRoof('closedAt.null=true'), /closedAt, which nobody knows/)
  })

  test('is read from its document to the last digit', () => {
    const paid = { ...roof, paid: 2n ** 62n + 5n, amercement: 8_999_999_999_999_999 }
    assert.deepEqual(readThing(collections.deals, deal.toJson(paid as never)), paid)
  })

  test('is judged in steps, each of which may be the last for a while', () => {
    const long = { ...roof, description: `${'a'.repeat(2000)}b` }
    const filter = filterOf(collections.deals, 'description.regex=(a|b|ab){60}b$&name.contains=dach')
    const match = beginMatches(filter, long)
    let steps = 1
    let found = match.advance(() => true)
    for (; found === undefined; steps++) found = match.advance(() => true)
    assert.equal(found, matches(filter, long))
    assert.ok(steps > 3, `${steps} steps`)
    assert.equal(
      match.advance(() => true),
      found,
    )
  })
})

test('a pattern with wildcards matches whole characters, as LIKE does', () => {
  for (const [text, pattern] of [
    ...[
      ['', ''],
      ['', '%'],
      ['a', '_'],
      ['😀', '_'],
      ['a😀b', 'a_b'],
      ['a😀', '%_'],
      ['50%', '50\\%'],
      ['a_b', '%\\_%'],
    ],
    ...[
      ['abab', '%ab'],
      ['aab', '%ab'],
      ['mississippi', '%iss%ip%'],
      ['\\', '\\\\'],
    ],
  ] as const) {
    assert.equal(isLike(text, pattern), true, `${text} ${pattern}`)
  }
  for (const [text, pattern] of [
    ...[
      ['a', ''],
      ['', '_'],
      ['😀', '__'],
      ['ab', '_'],
      ['50x', '50\\%'],
      ['axb', '%\\_%'],
      ['abc', '%ab'],
      ['ab', '%b_'],
    ],
  ] as const) {
    assert.equal(isLike(text, pattern), false, `${text} ${pattern}`)
  }
})
