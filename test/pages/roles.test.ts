import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { bearer, type ClosedService, runClosedService } from '../access/closed-service.ts'
import { DEALS } from '../http/making-deals.ts'

let service: ClosedService
let deal: string

before(async () => {
  service = await runClosedService()
  const headers = bearer(service.keys.admin)
  await service.request('POST', '/customers', { body: { name: 'Ana' }, headers })
  const made = await service.request('POST', `${DEALS}/`, { body: { name: 'Roof', price: 1, customerId: 1 }, headers })
  deal = String(made.headers.location)
})
after(() => service.close())

const page = async (path: string, role: keyof ClosedService['keys']): Promise<string> =>
  (await service.request('GET', path, { headers: { ...bearer(service.keys[role]), accept: 'text/html' } })).text

const posts = (text: string): number => text.match(/<form method="post"/g)?.length ?? 0

suite('a page offers only what its reader may do', () => {
  test('who may read is offered no form, and told why', async () => {
    for (const path of ['/', '/board', DEALS, deal, '/customers', '/customers/1', `${deal}/actions/hold`]) {
      assert.equal(posts(await page(path, 'reader')), 0, path)
    }
    assert.match(await page(deal, 'reader'), /Put on hold<\/a>: reader-key may only read/)
    assert.doesNotMatch(await page('/', 'reader'), /href="\/webhooks"/)
  })

  test('who may edit works on deals, who administers also on customers and webhooks', async () => {
    assert.ok(posts(await page(deal, 'editor')) > 10)
    assert.equal(posts(await page('/board', 'editor')), 1)
    assert.equal(posts(await page('/customers', 'editor')), 0)
    assert.equal(posts(await page('/customers/1', 'editor')), 1)
    assert.equal(posts(await page('/customers/1', 'admin')), 3)
    assert.match(await page('/', 'admin'), /href="\/webhooks"/)
  })

  test('says who is signed in, and the activity who did what', async () => {
    assert.match(await page('/', 'reader'), /<p class="actor">reader-key<\/p>/)
    assert.match(await page(deal, 'reader'), /<b>admin-key<\/b> made the deal over 1\.00/)
  })

  test('pages that anybody may see load nothing that needs a user', async () => {
    const { text } = await service.request('GET', '/problems/wrong-state', { headers: { accept: 'text/html' } })
    assert.doesNotMatch(text, /<script/)
    assert.match(text, /<link rel="stylesheet" href="\/style\.css/)
    assert.equal((await service.request('GET', '/app.js')).status, 401)
  })
})
