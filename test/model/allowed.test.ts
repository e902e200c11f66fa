import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tell } from '../../src/languages/tell.ts'
import type { Deal } from '../../src/model/nouns/deal/deal.ts'
import { operationsOnExisting } from '../../src/model/schema/resources.ts'
import { applied, given, now, refused, when } from '../support/deals/deciding.ts'
import { deal } from '../support/schema.ts'

const dealOperations = operationsOnExisting(deal)

// The column "allowed" of the contract's table of operations, state by state.

const states: { readonly [state: string]: Partial<Deal> } = {
  open: {},
  held: { held: true, holdReason: 'credit check' },
  completed: { status: 'completed', completedOn: '2026-11-20' },
  cancelled: { status: 'cancelled', closingReason: 'customer withdrew' },
  'archived, completed': { status: 'completed', completedOn: '2026-11-20', archived: true },
  'archived, cancelled': { status: 'cancelled', closingReason: 'customer withdrew', archived: true },
  deleted: { deletedAt: '2026-11-29T12:00:00.000Z' },
}

const always = ['delete', 'add-note']
const allowed: { readonly [state: string]: readonly string[] } = {
  open: [
    ...always,
    'hold',
    'complete',
    'cancel',
    'change-price',
    'change-completion-date',
    'rename',
    'describe',
    'assign',
    'change-customer',
    'move',
    'record-payment',
  ],
  held: [...always, 'hold', 'unhold', 'cancel', 'rename', 'describe', 'assign', 'record-payment'],
  completed: [...always, 'reopen', 'archive', 'describe', 'record-payment'],
  cancelled: [...always, 'reopen', 'archive', 'describe', 'record-payment'],
  'archived, completed': [...always, 'unarchive'],
  'archived, cancelled': [...always, 'unarchive'],
  deleted: ['restore'],
}

/** Operations that came after the contract's have their own rules, and their own tests. */
const inContract: ReadonlySet<string> = new Set([...Object.values(allowed).flat(), 'waive-amercement'])

for (const [state, markings] of Object.entries(states)) {
  for (const owed of [0, 2500]) {
    const deal = given({ ...markings, amercement: owed })
    const waivable = owed > 0 && deal.deletedAt === null
    const expected = new Set([...(allowed[state] ?? []), ...(waivable ? ['waive-amercement'] : [])])
    const name = owed > 0 ? `${state}, with an amercement` : state

    test(`what can be done with a deal that is ${name}`, () => {
      for (const { name: operation, examples } of dealOperations.filter(({ name }) => inContract.has(name))) {
        const verdict = when(deal, operation, exampleFor(operation, examples[0]))
        if (expected.has(operation)) applied(verdict)
        else if (deal.deletedAt !== null) refused(verdict, 'deleted')
        else {
          const refusal = refused(verdict, 'wrong-state')
          assert.equal(refusal.operation, operation)
          assert.deepEqual(new Set(refusal.allowed).intersection(inContract), expected)
          const { id, status, held, archived, deletedAt, revision } = deal
          assert.deepEqual(refusal.thing, { id, status, held, archived, deletedAt, revision })
        }
      }
    })
  }
}

test('a refusal says which rule was not met', () => {
  const why = (changes: Partial<Deal>, operation: string, params = {}) =>
    tell(refused(when(given(changes), operation, params), 'wrong-state').reason)
  assert.equal(why({ held: true, holdReason: 'x' }, 'complete'), 'the deal is on hold')
  assert.equal(why({ status: 'completed' }, 'complete'), 'the deal is completed')
  assert.equal(why({ status: 'cancelled', archived: true }, 'record-payment', { amount: 1 }), 'the deal is archived')
  assert.equal(why({}, 'unhold'), 'the deal is not on hold')
  assert.equal(why({}, 'archive'), 'the deal is still open')
  assert.equal(why({ status: 'completed', archived: true }, 'archive'), 'the deal is archived')
  assert.equal(why({ status: 'completed' }, 'unarchive'), 'the deal is not archived')
  assert.equal(why({}, 'waive-amercement', { reason: 'x' }), 'the deal has no penalty')
  assert.equal(why({}, 'restore'), 'the deal is not deleted')
})

test('a deleted deal can be restored for thirty days and not a moment longer', () => {
  const daysAgo = (days: number, extra = 0) => new Date(Date.parse(now) - days * 86_400_000 - extra).toISOString()
  applied(when(given({ deletedAt: daysAgo(30) }), 'restore'))
  const late = refused(when(given({ deletedAt: daysAgo(30, 1) }), 'restore'), 'wrong-state')
  assert.deepEqual(late.reason, { code: 'deal-deleted-long-ago', with: { days: 30 } })
  assert.deepEqual(late.allowed, [])
})

test('whatever the deal lets through leaves one event with the deal after it', () => {
  for (const { name, words, examples } of dealOperations) {
    const state = Object.entries(allowed).find(([, names]) => names.includes(name))?.[0] ?? 'open'
    const deal = given({ ...states[state], amercement: name === 'waive-amercement' ? 200_000 : 0 })
    for (const example of examples) {
      for (const word of [name, words.action]) {
        const { deal: after, events } = applied(when(deal, word, example))
        assert.equal(events.length, 1)
        assert.equal(events[0]?.operation, name)
        assert.deepEqual(events[0]?.deal, after)
        assert.equal(events[0]?.actor, 'mila')
        assert.equal(after.revision, deal.revision + 1)
        assert.equal(after.updatedAt, now)
        assert.equal(after.createdAt, deal.createdAt)
      }
    }
  }
})

/** The examples waive 100: enough for a deal on which 25 are owed is asked here. */
function exampleFor(operation: string, example: object): object {
  return operation === 'waive-amercement' ? { reason: 'goodwill' } : example
}
