import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { patientTimer } from '../../src/values/patient-timer.ts'

const standStill = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

test('who stood still has not waited, and gives up later', async () => {
  const over = Promise.withResolvers<void>()
  let isOver = false
  patientTimer(200, () => {
    isOver = true
    over.resolve()
  })
  standStill(250)
  // Whatever came meanwhile is heard in these turns.
  for (let turns = 0; turns < 3; turns++) await turn()
  assert.equal(isOver, false)
  await over.promise
})

test('who is stopped does not give up', async () => {
  const stop = patientTimer(20, () => assert.fail())
  stop()
  const other = Promise.withResolvers<void>()
  patientTimer(40, other.resolve)
  await other.promise
})
