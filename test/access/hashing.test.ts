import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openHashing } from '../../src/access/hashing.ts'

suite('the line for hashing', () => {
  test('lets a few work, some wait and turns the rest away', async () => {
    const hashing = openHashing(2, 3)
    const finish: (() => void)[] = []
    const work = () => new Promise<void>((resolve) => finish.push(resolve))
    const all = Array.from({ length: 7 }, () => hashing.run(work))
    assert.deepEqual(
      all.map((each) => each !== undefined),
      [true, true, true, true, true, false, false],
    )
    await Promise.resolve()
    assert.equal(finish.length, 2)
    assert.equal(hashing.waiting, 3)
    while (finish.length > 0) {
      finish.shift()?.()
      await new Promise(setImmediate)
      assert.ok(finish.length <= 2)
    }
    await Promise.all(all)
    assert.equal(hashing.waiting, 0)
    assert.notEqual(
      hashing.run(async () => {}),
      undefined,
    )
  })

  test('goes on after work that failed', async () => {
    const hashing = openHashing(1, 1)
    const failing = hashing.run(() => Promise.reject(new Error('no memory')))
    const next = hashing.run(async () => 'done')
    await assert.rejects(Promise.resolve(failing), /no memory/)
    assert.equal(await next, 'done')
  })
})
