import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type FollowedWork, follow, type Pace } from '../../src/work/follow.ts'
import { heldClock, rest } from '../support/work/held-clock.ts'

const LOOK = 1000

/** Work in memory, whose steps end at once unless they are held. Everything that is asked of it is noted. */
function followed(pace: Partial<Pace> = {}, lease?: number) {
  const clock = heldClock()
  const asked: string[] = []
  const state = { more: 0, fails: '', held: Promise.resolve(), due: () => {}, closing: AbortSignal.abort() }
  const ask = async (word: string): Promise<void> => {
    asked.push(word)
    await state.held
    if (state.fails === word) throw new Error(word)
  }
  const work: FollowedWork = {
    due(wake) {
      state.due = wake
      return () => asked.push('end of due')
    },
    async step(closing) {
      state.closing = closing
      await ask('step')
      return state.more-- > 0
    },
    pace: { look: LOOK, ...pace },
    ...(lease !== undefined && {
      lease: { length: lease, renew: () => ask('renew'), release: () => ask('release') },
    }),
    onFault: (cause) => asked.push(String(cause)),
  }
  const loop = follow(work, clock)
  const news = () => asked.splice(0)
  /** Returns what is asked within a time. */
  const within = async (milliseconds: number): Promise<readonly string[]> => {
    await clock.pass(milliseconds)
    return news()
  }
  return { clock, loop, state, news, within }
}

/** The milliseconds before each of the next steps. */
async function pausesOf(within: (milliseconds: number) => Promise<readonly string[]>, steps: number) {
  const pauses: number[] = []
  for (let waited = 0; pauses.length < steps; ) {
    waited += 10
    if (!(await within(10)).includes('step')) continue
    pauses.push(waited)
    waited = 0
  }
  return pauses
}

suite('a loop', () => {
  test('looks at once, and then at intervals', async () => {
    const { within } = followed()
    assert.deepEqual(await within(0), ['step'])
    assert.deepEqual(await within(LOOK - 1), [])
    assert.deepEqual(await within(1), ['step'])
    assert.deepEqual(await within(2 * LOOK), ['step', 'step'])
  })

  test('looks later for the first time where its pace says so', async () => {
    const { within } = followed({ first: 50 })
    assert.deepEqual(await within(49), [])
    assert.deepEqual(await within(1), ['step'])
    assert.deepEqual(await within(LOOK), ['step'])
  })

  test('looks when it is woken and when something is due, and counts the interval from there', async () => {
    const { loop, state, within } = followed()
    await within(LOOK / 2)
    loop.wake()
    assert.deepEqual(await within(0), ['step'])
    await within(LOOK / 4)
    state.due()
    assert.deepEqual(await within(0), ['step'])
    assert.deepEqual(await within(LOOK - 1), [])
    assert.deepEqual(await within(1), ['step'])
  })

  test('takes steps at once while there is more, or with the pause between them', async () => {
    const { state, within } = followed()
    state.more = 2
    assert.deepEqual(await within(0), ['step', 'step', 'step'])
    const slower = followed({ between: 4 })
    slower.state.more = 2
    assert.deepEqual(await slower.within(0), ['step'])
    for (let n = 0; n < 2; n++) assert.deepEqual([await slower.within(3), await slower.within(1)], [[], ['step']])
    assert.deepEqual(await slower.within(LOOK - 1), [])
  })

  test('takes one step at a time, and another one for all wakes during it', async () => {
    const { loop, news, state, within } = followed()
    await within(0)
    const { promise, resolve } = Promise.withResolvers<void>()
    state.held = promise
    for (let n = 0; n < 3; n++) loop.wake()
    state.due()
    assert.deepEqual(await within(2 * LOOK), ['step'])
    resolve()
    await rest()
    assert.deepEqual(news(), ['step'])
    assert.deepEqual(await within(LOOK), ['step'])
  })

  test('reports a step that fails, and takes it again at the next look', async () => {
    const { loop, news, state, within } = followed()
    await within(0)
    state.fails = 'step'
    assert.deepEqual(await within(2 * LOOK), ['step', 'Error: step', 'step', 'Error: step'])
    // News during a failing step do not repeat it at once, later ones do.
    const { promise, resolve } = Promise.withResolvers<void>()
    state.held = promise
    loop.wake()
    await rest()
    loop.wake()
    resolve()
    await rest()
    assert.deepEqual(news(), ['step', 'Error: step'])
    loop.wake()
    assert.deepEqual(await within(0), ['step', 'Error: step'])
    state.fails = ''
    assert.deepEqual(await within(2 * LOOK), ['step', 'step'])
  })

  test('waits twice as long after each failure in a row, up to the interval', async () => {
    const { state, within } = followed({ retry: 200 })
    await within(0)
    state.fails = 'step'
    assert.deepEqual(await pausesOf(within, 6), [LOOK, 200, 400, 800, LOOK, LOOK])
    state.fails = ''
    assert.deepEqual(await pausesOf(within, 2), [LOOK, LOOK])
    state.fails = 'step'
    assert.deepEqual(await pausesOf(within, 3), [LOOK, 200, 400])
  })

  test('ends after the step under way', async () => {
    const { clock, loop, news, state } = followed()
    await rest()
    news()
    state.more = 5
    const { promise, resolve } = Promise.withResolvers<void>()
    state.held = promise
    loop.wake()
    await rest()
    assert.ok(!state.closing.aborted)
    const ended: string[] = []
    const closing = [loop.close(), loop.close()].map((closed) => closed.then(() => ended.push('closed')))
    loop.wake()
    state.due()
    await clock.pass(2 * LOOK)
    assert.deepEqual([news(), ended, state.closing.aborted], [['step', 'end of due'], [], true])
    resolve()
    await Promise.all(closing)
    assert.deepEqual([ended, clock.timers.size], [['closed', 'closed'], 0])
    loop.wake()
    await loop.close()
    await clock.pass(2 * LOOK)
    assert.deepEqual(news(), [])
  })

  test('ends without a step where none is under way, and when the last one fails', async () => {
    const idle = followed()
    await idle.within(0)
    await idle.loop.close()
    assert.deepEqual([idle.news(), idle.clock.timers.size], [['end of due'], 0])
    const failing = followed()
    failing.state.fails = 'step'
    await failing.loop.close()
    assert.deepEqual([failing.news(), failing.clock.timers.size], [['step', 'end of due', 'Error: step'], 0])
  })

  test('renews its lease six times within its length, and gives it back once, after the last step', async () => {
    const { loop, news, state, within } = followed({}, 12 * LOOK)
    assert.deepEqual(await within(0), ['renew', 'step'])
    assert.deepEqual(
      (await within(12 * LOOK)).filter((each) => each === 'renew'),
      Array.from({ length: 6 }, () => 'renew'),
    )
    const { promise, resolve } = Promise.withResolvers<void>()
    state.held = promise
    loop.wake()
    await rest()
    const closing = Promise.all([loop.close(), loop.close()])
    await rest()
    assert.deepEqual(news(), ['step', 'end of due'])
    resolve()
    await closing
    assert.deepEqual(news(), ['release'])
  })

  test('takes no step while its lease cannot be renewed', async () => {
    const { loop, news, state, within } = followed({}, 6 * LOOK)
    await within(0)
    state.fails = 'renew'
    assert.deepEqual(await within(2 * LOOK), ['renew', 'Error: renew', 'renew', 'Error: renew'])
    state.fails = 'release'
    assert.deepEqual(await within(LOOK), ['renew', 'step'])
    await loop.close()
    assert.deepEqual(news(), ['end of due', 'release', 'Error: release'])
  })
})
