import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shortest, tellDrawn, written } from './history.ts'

// Random histories are told to a service on SQLite and to one on PostgreSQL, side by side. Every answer must be the
// same, and what is told of the past what was. HISTORY_SEED=… and HISTORIES=… tell others; `npm run test:long --
// histories` tells thousands.

const FIRST = Number(process.env.HISTORY_SEED ?? 6)
const RUNS = Number(process.env.HISTORIES ?? 1)
/** The times that a failing history is told again, to find its shortest form. */
const TRIES = 60

test('both stores tell the same of random histories', async () => {
  for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
    const failure = await tellDrawn(seed, { histories: 1, steps: 100 })
    if (failure !== undefined) assert.fail(written(await shortest(failure, TRIES)))
  }
})
