import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeDeals, storedDeals } from '../support/faults/deal-load.ts'
import { sized } from '../support/faults/scale.ts'
import { spawnService, temporaryFolder } from '../support/service/service-process.ts'

const folder = temporaryFolder('stop')
after(() => folder.remove())

const ROUNDS = sized(1, 10)
const CLIENTS = sized(32, 128)
/** Deals that are made before the signal. */
const ENOUGH = sized(100, 300)

test(`SIGTERM under the load of ${CLIENTS} clients: every answer is whole, and acknowledged is stored`, async (t) => {
  for (let round = 1; round <= ROUNDS; round++) {
    const file = join(folder.path, `${round}.db`)
    const service = spawnService({ DATABASE_URL: file })
    const url = await service.ready
    let isOver = false
    let asked = 0
    const load = await makeDeals(url, {
      clients: CLIENTS,
      goesOn({ acknowledged }) {
        if (asked === 0 && acknowledged.length >= ENOUGH) {
          asked = performance.now()
          service.process.kill('SIGTERM')
          void service.ended.then(() => {
            isOver = true
          })
        }
        return !isOver
      },
    })
    const { code, stderr } = await service.ended
    const seconds = (performance.now() - asked) / 1000
    t.diagnostic(
      `${load.acknowledged.length} acknowledged, ${load.refused} × 503, ${load.truncated} truncated; ` +
        `exit ${code} after ${seconds.toFixed(1)} s`,
    )
    assert.equal(code, 0, stderr)
    // Of the short form only that it ends: the machine does other things meanwhile.
    assert.ok(seconds < sized(60, 10))
    assert.equal(load.truncated, 0)
    assert.deepEqual(load.wrong, [])
    assert.ok(!existsSync(`${file}-wal`), 'the store was not closed')
    assert.deepEqual(storedDeals(file), new Set(load.acknowledged))
  }
})
