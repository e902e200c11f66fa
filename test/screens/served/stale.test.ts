import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { NOTHING_ADDED } from '../../../src/model/schema/build-schema.ts'
import { SALES } from '../../../src/model/source/pipeline-source.ts'
import { daysStale } from '../../../src/screens/deals/stale.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

test('a deal is stale if it has been in its stage for longer than the stage allows', () => {
  const since = '2026-11-01T12:00:00.000Z'
  assert.equal(daysStale(10, since, '2026-11-11T12:00:00.000Z'), undefined)
  assert.equal(daysStale(10, since, '2026-11-11T12:00:00.001Z'), 10)
  assert.equal(daysStale(10, since, '2026-11-13T11:59:59.999Z'), 11)
  assert.equal(daysStale(null, since, '2036-11-11T12:00:00.000Z'), undefined)
})

testOnEachStore('board, list and deal mark stale deals in words, as the stages declare it', async () => {
  const { database, request } = service
  const page = async (path: string, language = 'en'): Promise<string> => {
    const headers = { accept: 'text/html', 'accept-language': language }
    const { status, text } = await request('GET', path, { headers })
    assert.equal(status, 200, text)
    return text
  }
  const made = async (name: string, stage: string) => String((await openDeal(service, { name, stage })).id)
  const [old, fresh, other, won] = await Promise.all([
    made('Old', 'proposal'),
    made('Fresh', 'proposal'),
    made('Other', 'lead'),
    made('Won', 'proposal'),
  ])
  await request('POST', `${DEALS}/${won}/completions`, { body: {} })
  const long = new Date(Date.now() - 12.5 * 86_400_000).toISOString()
  for (const id of [old, other])
    await database.rows('UPDATE deals SET stage_since = ? WHERE id = ? RETURNING id', long, id)

  const marked = /<span class="mark late">\d+ days in this stage<\/span>/g
  for (const path of ['/board', DEALS, `${DEALS}/${old}`]) assert.doesNotMatch(await page(path), marked, path)

  const stages = SALES.stages.map((stage) => (stage.name === 'proposal' ? { ...stage, staleAfter: 12 } : stage))
  await service.store.schemas.adopt({ ...NOTHING_ADDED, version: 1, pipelines: [{ ...SALES, stages }] })
  for (const path of ['/board', DEALS]) {
    const text = await page(path)
    assert.deepEqual(text.match(marked), ['<span class="mark late">12 days in this stage</span>'], path)
    const name = text.indexOf('>Old<')
    assert.ok(name > 0 && text.indexOf('days in this stage') > name, path)
  }
  assert.deepEqual((await page(`${DEALS}/${old}`)).match(marked), [
    '<span class="mark late">12 days in this stage</span>',
  ])
  assert.match(await page(`${DEALS}/${old}`, 'de'), />12 Tage in dieser Phase</)
  for (const id of [fresh, other, won]) assert.doesNotMatch(await page(`${DEALS}/${id}`), marked)

  // Moved on, it begins anew.
  assert.equal((await request('PUT', `${DEALS}/${old}/move`, { body: { stage: 'negotiation' } })).status, 200)
  assert.equal((await request('PUT', `${DEALS}/${old}/move`, { body: { stage: 'proposal' } })).status, 200)
  assert.doesNotMatch(await page('/board'), marked)
})
