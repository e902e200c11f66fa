import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FairQueue } from '../../src/work/fair-queue.ts'

const limits = { attempts: 4, attemptsOfOne: 2, attemptsOfFailing: 2, held: 10, heldOfOne: 5 }
const always = () => true

/** A claim is written as its subscription and a number. */
const queueOf = (...claims: readonly string[]): FairQueue<string> => {
  const queue = new FairQueue<string>((claim) => claim.charAt(0), limits)
  queue.add(claims, 0)
  return queue
}

suite('a fair queue', () => {
  test('begins the attempts of each subscription in turn, while there is room', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1')
    assert.deepEqual(queue.begin(always), ['a1', 'b1', 'c1', 'a2'])
    assert.equal(queue.attempts, 4)
    queue.end('a1', true)
    queue.end('c1', true)
    assert.deepEqual(queue.begin(always), ['a3', 'b2'])
    assert.deepEqual([...queue.held.keys()], ['a2', 'a3', 'b1', 'b2'])
  })

  test('begins no more for one subscription than it may have', () => {
    const queue = queueOf('a1', 'a2', 'a3')
    assert.deepEqual(queue.begin(always), ['a1', 'a2'])
    assert.deepEqual(queue.begin(always), [])
  })

  test('begins one attempt at a time for a subscription whose last one failed, until one goes well', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'a4', 'a5')
    queue.begin(always)
    queue.end('a1', true)
    queue.end('a2', false)
    assert.deepEqual(queue.begin(always), ['a3'])
    queue.end('a3', true)
    assert.deepEqual(queue.begin(always), ['a4', 'a5'])
  })

  test('drops a claim that does not last', () => {
    const queue = queueOf('a1')
    queue.add(['b1'], 5)
    assert.deepEqual(
      queue.begin((claimedAt) => claimedAt >= 5),
      ['b1'],
    )
    assert.deepEqual([...queue.held.keys()], ['b1'])
  })

  test('has room for what is not held: one for each failing subscription, and a few for all of them', () => {
    const queue = queueOf('a1', 'a2', 'b1', 'c1')
    assert.deepEqual(queue.begin(always), ['a1', 'b1', 'c1', 'a2'])
    queue.end('b1', false)
    queue.end('c1', false)
    queue.add(['c2'], 0)
    queue.begin(always)
    assert.deepEqual(queue.room(), {
      ...{ most: 7, ofEach: 5, of: { a: 3, b: 1, c: 0 } },
      ...{ together: { subscriptions: ['b', 'c'], most: 1 }, behind: 'c' },
    })
  })

  test('goes on behind the subscription that came last, and from the beginning after none', () => {
    const queue = queueOf('a1', 'b1')
    assert.equal(queue.room().behind, 'b')
    queue.add([], 0)
    assert.equal(queue.room().behind, '')
  })
})
