import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seedOf } from '../support/inputs/draw.ts'
import { type Failure, replay, shortest, tellDrawn, written } from './history.ts'

// Random histories are told to a service on SQLite and to one on PostgreSQL, side by side. Every answer must be the
// same, and what is told of the past what was. `npm run test:long -- histories` tells a thousand.

const FIRST = seedOf('HISTORY_SEED')
const HISTORIES = Number(process.env.HISTORIES ?? 2)
const STEPS = Number(process.env.HISTORY_STEPS ?? 100)
/** Steps as a failure prints them, to be told again instead. */
const TOLD = process.env.HISTORY_TOLD
/** The times that a failing history is told again, to find its shortest form. */
const TRIES = 60

test('both stores tell the same of random histories', async (t) => {
  t.diagnostic(`HISTORY_SEED=${FIRST}`)
  if (TOLD !== undefined) return mustHold(await replay(JSON.parse(TOLD), FIRST))
  for (let seed = FIRST; seed < FIRST + HISTORIES; seed++) {
    const failure = await tellDrawn(seed, STEPS)
    if (failure !== undefined) mustHold(await shortest(failure, TRIES))
    if ((seed - FIRST + 1) % 100 === 0) process.stderr.write(`${seed - FIRST + 1} histories\n`)
  }
})

function mustHold(failure: Failure | undefined): void {
  if (failure !== undefined) assert.fail(written(failure))
}
