import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type OwnDatabase, ownDatabases } from '../support/database/own-database.ts'
import { oneOf } from '../support/faults/scale.ts'
import { spawnService } from '../support/service/service-process.ts'

// A process moves the deals out of a pipeline that is being removed, and is killed meanwhile.
// `npm run test:long -- model-changes` does this with 100 kills, on both stores; MOVE_KILLS says how many.

const KILLS = Number(process.env.MOVE_KILLS ?? 1)
/** More than are moved in one commit, for each life of the process. */
const DEALS = 60 * (KILLS + 1)
const TOGETHER = 500

for (const [engine, ownDatabase] of oneOf('MODEL_STORE', ownDatabases)) {
  test(`after ${KILLS} kills every deal has left a removed pipeline once, on ${engine}`, async (t) => {
    const database = await ownDatabase()
    t.after(() => database.remove())
    const start = () => spawnService({ DATABASE_URL: database.url })
    let service = start()
    t.after(() => service.process.kill('SIGKILL'))
    const url = await service.ready
    const post = async (path: string, body: object): Promise<void> => {
      const headers = { 'content-type': 'application/json' }
      const sent = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      assert.ok(sent.ok, await sent.text())
    }
    await post('/pipelines', { name: 'old', title: 'Old', stages: [{ name: 'due' }, { name: 'lead' }] })
    for (let made = 0; made < DEALS; made += TOGETHER) {
      const commands = Array.from({ length: Math.min(TOGETHER, DEALS - made) }, (_, nth) => ({
        action: 'CreateDeal',
        params: { name: `Deal ${made + nth}`, price: 1, pipeline: 'old', stage: nth % 3 === 0 ? 'lead' : 'due' },
      }))
      await post('/rest/v1/batch', { atomic: true, commands })
    }
    const begun = await fetch(`${url}/pipelines/old?moveTo=sales`, { method: 'DELETE' })
    assert.equal(begun.status, 202)
    const places: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      const least = Math.floor((DEALS * (kill + Math.random())) / KILLS)
      while ((await movedIn(database)) < least) await pause(1)
      service.process.kill('SIGKILL')
      await service.ended
      places.push(await movedIn(database))
      service = start()
      await service.ready
    }
    while ((await database.rows(`SELECT 1 FROM pipelines WHERE name = 'old'`)).length > 0) await pause(10)
    service.process.kill('SIGTERM')
    await service.ended
    t.diagnostic(`${DEALS} deals, killed when ${places.join(', ')} had moved`)
    await check(database)
  })
}

async function movedIn(database: OwnDatabase): Promise<number> {
  const [row] = await database.rows(`SELECT count(*) AS n FROM events WHERE type = 'deal.moved'`)
  return Number(row?.n)
}

async function check(database: OwnDatabase): Promise<void> {
  const places = await database.rows(`SELECT pipeline, stage, count(*) AS n FROM deals GROUP BY pipeline, stage`)
  assert.deepEqual(
    places.map(({ pipeline, stage, n }) => [pipeline, stage, Number(n)]),
    [['sales', 'lead', DEALS]],
  )
  const [moves] = await database.rows(
    `SELECT count(*) AS n, count(DISTINCT subject) AS things, max(revision) AS last FROM events WHERE type = 'deal.moved'`,
  )
  assert.deepEqual([Number(moves?.n), Number(moves?.things), Number(moves?.last)], [DEALS, DEALS, 2])
  const gone = await database.rows(`SELECT type FROM events WHERE resource = 'pipeline' ORDER BY sequence`)
  assert.deepEqual(
    gone.map(({ type }) => type),
    ['pipeline.created', 'pipeline.changed', 'pipeline.deleted'],
  )
  // Their periods and totals follow.
  const open = await database.rows(`SELECT count(*) AS n FROM periods WHERE pipeline = 'sales' AND stage = 'lead'`)
  assert.equal(Number(open[0]?.n), DEALS)
}
