import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { runService, type TestService } from '../../support/service/running-service.ts'

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

interface Listed {
  readonly name: string
  readonly address: string
  readonly example: string | null
  readonly note?: string
}

const listed = async (): Promise<readonly Listed[]> =>
  (await service.request('GET', '/query')).body.items as readonly Listed[]

suite('the list of named queries', () => {
  test('says what to put there while nothing is there to be found', async () => {
    for (const { name, example, note } of await listed()) {
      assert.equal(example, null, name)
      assert.match(note ?? '', /^Put a value in place of \{\w+\}/)
    }
    const { text } = await service.request('GET', '/query.html')
    assert.match(text, /Put a value in place of \{dealId\}/)
  })

  testOnEachStore('shows examples that find something', async () => {
    const { body } = await service.request('POST', '/customers', { body: { name: 'Ana', age: 30, children: 2 } })
    await openDeal(service, { customerId: Number(body.id), owner: 'a/b.csv', completionDate: '2026-11-30' })
    const held = await openDeal(service, { currency: 'CHF' })
    await service.request('PUT', `${DEALS}/${held.id}/hold`, { body: { reason: 'credit check' } })
    const all = await listed()
    for (const { name, example } of all) {
      assert.ok(example !== null, name)
      const { status, text } = await service.request('GET', example)
      assert.equal(status, 200, `${example} ${text}`)
      assert.equal((await service.request('GET', `${example}.html`)).status, 200)
    }
    const found = new Map(all.map(({ name, example }) => [name, example]))
    assert.equal(found.get('held-deals'), '/query/held-deals/CHF')
    assert.equal(found.get('overdue-deals'), '/query/overdue-deals/2026-12-01')
  })
})

suite('a named query in a browser', () => {
  test('leads from page to page', async () => {
    for (const name of ['Bo', 'Cy', 'Di']) await service.request('POST', '/customers', { body: { name, age: 57 } })
    const seen: string[] = []
    for (let at = '/query/customers-by-age/57.html?maxpagesize=1&fields=name'; at !== ''; ) {
      const { status, text } = await service.request('GET', at)
      assert.equal(status, 200)
      seen.push(/<tbody[^>]*>\s*<tr>(?:<th scope="row">)(?:<a[^>]*>)?(\w+)/.exec(text)?.[1] ?? '')
      at = /<a href="([^"]+)" rel="next">/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
      assert.equal(/more follow/.test(text), at !== '')
    }
    assert.deepEqual(seen, ['Bo', 'Cy', 'Di'])
  })
})
