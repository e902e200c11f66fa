import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type AttemptedWork, LeasedFollower } from '../../src/work/leased-follower.ts'
import { heldClock, rest } from '../support/work/held-clock.ts'

const schedule = { timeout: 1000, lease: 6000, poll: 500, trimEvery: 100_000 }

/** Work in memory, whose attempts end when they are told to. Everything that is asked of it is noted. */
function follow(...due: string[]) {
  const clock = heldClock()
  const asked: string[] = []
  const attempts = new Map<string, (result: string) => void>()
  const told: string[] = []
  const state = { due, isAway: false, more: false, old: 0, wake: () => {}, answer: Promise.resolve() }
  const ask = async (...words: readonly (string | number)[]): Promise<void> => {
    asked.push(words.join(' ').trim())
    await state.answer
    if (state.isAway) throw new Error('away')
  }
  const work: AttemptedWork<string, string> = {
    schedule,
    leases: {
      settle: (results) => ask('settle', ...results),
      renew: (held, lease) => ask('renew', ...held, 'for', lease),
      release: () => ask('release'),
    },
    async claim({ most, lease }, results) {
      assert.equal(lease, schedule.lease)
      await ask('claim', ...results)
      const more = state.more
      state.more = false
      return { claims: state.due.splice(0, most), more }
    },
    subscriptionOf: (claim) => claim.charAt(0),
    attempt: (claim) => new Promise((resolve) => attempts.set(claim, resolve)),
    isSuccess: (result) => result.endsWith('done'),
    abort: () => asked.push('abort'),
    async trim() {
      await ask('trim')
      return state.old-- > 0
    },
    onEvents(call) {
      state.wake = call
      return () => {
        state.wake = () => {}
      }
    },
    onResult: (result) => told.push(result),
    onFault: (cause) => told.push(String(cause)),
  }
  const follower = new LeasedFollower(work, clock)
  const end = async (claim: string, how = 'done'): Promise<void> => {
    attempts.get(claim)?.(`${claim} ${how}`)
    attempts.delete(claim)
    await rest()
  }
  /** What was asked since the last time. */
  const news = () => asked.splice(0)
  return { clock, follower, state, attempts, told, end, news }
}

suite('a leased follower', () => {
  test('attempts what is due when it starts, and settles a result with the next claim', async () => {
    const { attempts, end, news, told } = follow('a1')
    await rest()
    assert.deepEqual(news(), ['renew for 6000', 'claim'])
    assert.deepEqual([...attempts.keys()], ['a1'])
    await end('a1')
    assert.deepEqual(news(), ['claim a1 done'])
    assert.deepEqual(told, ['a1 done'])
  })

  test('looks when events come and at intervals, and at once while there is more', async () => {
    const { clock, state, news } = follow()
    await rest()
    news()
    state.wake()
    await rest()
    assert.deepEqual(news(), ['claim'])
    await clock.pass(schedule.poll - 1)
    assert.deepEqual(news(), [])
    state.more = true
    await clock.pass(1)
    assert.deepEqual(news(), ['claim', 'claim'])
  })

  test('has one query under way, and looks once more for the events that came meanwhile', async () => {
    const { state, news } = follow()
    await rest()
    news()
    const { promise, resolve } = Promise.withResolvers<void>()
    state.answer = promise
    for (let n = 0; n < 3; n++) state.wake()
    await rest()
    assert.deepEqual(news(), ['claim'])
    resolve()
    await rest()
    assert.deepEqual(news(), ['claim'])
  })

  test('renews the leases of what it holds, six times within their length', async () => {
    const { clock, end, news } = follow('a1', 'b1')
    await rest()
    await end('b1')
    news()
    await clock.pass(schedule.lease)
    assert.deepEqual(
      news().filter((each) => each !== 'claim'),
      Array.from({ length: 6 }, () => 'renew a1 for 6000'),
    )
  })

  test('begins no attempt that could outlast its lease', async () => {
    const claims = Array.from({ length: 10 }, (_, n) => `a${n}`)
    const { attempts, clock, end, state } = follow(...claims)
    await rest()
    assert.deepEqual([...attempts.keys()], claims.slice(0, 8))
    await clock.pass(schedule.lease)
    state.isAway = true
    await clock.pass(schedule.lease - schedule.timeout)
    await end('a0')
    assert.ok(attempts.has('a8'))
    await clock.pass(1)
    await end('a1')
    assert.ok(!attempts.has('a9'))
  })

  test('keeps its results while the store is away, and settles them when it looks again', async () => {
    const { clock, end, news, state, told } = follow('a1')
    await rest()
    state.isAway = true
    await end('a1')
    assert.deepEqual(told, ['a1 done', 'Error: away'])
    state.isAway = false
    news()
    await clock.pass(schedule.poll)
    assert.deepEqual(news(), ['claim a1 done'])
  })

  test('settles the results that it kept when it stops, and releases the rest also if that fails', async () => {
    for (const isAway of [false, true]) {
      const { end, follower, news, state, told } = follow('a1')
      await rest()
      state.isAway = true
      await end('a1')
      state.isAway = isAway
      news()
      await follower.close()
      assert.deepEqual(news(), ['abort', 'settle a1 done', 'release'])
      assert.deepEqual(told, ['a1 done', ...Array.from({ length: isAway ? 3 : 1 }, () => 'Error: away')])
    }
  })

  test('claims nothing while it holds all that it may, and settles all the same', async () => {
    const claims = Array.from({ length: 300 }, (_, n) => `a${n}`)
    const { end, news, state } = follow(...claims)
    await rest()
    assert.equal(state.due.length, 44)
    news()
    state.wake()
    await rest()
    assert.deepEqual(news(), [])
    await end('a0')
    assert.deepEqual(news(), ['claim a0 done'])
    assert.equal(state.due.length, 43)
  })

  test('trims now and then, and at each look while there is more', async () => {
    const { clock, news, state } = follow()
    await clock.pass(schedule.trimEvery - 1)
    const trims = () => news().filter((each) => each === 'trim').length
    assert.equal(trims(), 0)
    state.old = 2
    await clock.pass(10 * schedule.poll)
    assert.equal(trims(), 3)
  })

  test('waits for its attempts when it stops, claims no more, and gives back what it holds', async () => {
    const claims = Array.from({ length: 10 }, (_, n) => `a${n}`)
    const { attempts, clock, end, follower, news, state } = follow(...claims)
    await rest()
    news()
    const closing = follower.close()
    await clock.pass(schedule.lease / 3)
    state.wake()
    assert.deepEqual(news(), [])
    await Promise.all(claims.map((claim) => end(claim)))
    await clock.pass(20)
    await closing
    const results = claims.slice(0, 8).map((claim) => `${claim} done`)
    assert.deepEqual(news(), [`settle ${results.join(' ')}`, 'abort', 'release'])
    assert.equal(attempts.size, 0)
    assert.equal(clock.timers.size, 0)
  })

  test('cuts off what takes too long when it stops, and writes nothing afterwards', async () => {
    const { clock, end, follower, news } = follow('a1')
    await rest()
    news()
    const closing = follower.close()
    await clock.pass(2999)
    assert.deepEqual(news(), [])
    await clock.pass(21)
    await closing
    assert.deepEqual(news(), ['abort', 'release'])
    await end('a1')
    await clock.pass(schedule.lease)
    assert.deepEqual(news(), [])
  })
})
