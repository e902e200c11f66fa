import assert from 'node:assert/strict'
import { before, suite } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { Answered, Shown, TestService } from '../../support/service/running-service.ts'

interface Dated extends Shown {
  readonly updatedAt: string
}

suite('the past', () => {
  let service: TestService
  /** The deal as each change left it. */
  const states: Dated[] = []
  let address = ''

  before(async () => {
    service = await roomService()
    const created = (await openDeal(service, { name: 'Ten grinders', price: 1000 })) as Dated
    address = `${DEALS}/${created.id}`
    states.push(created)
    for (const [operation, body] of [
      ['rename', { newName: 'Twelve grinders' }],
      ['change-price', { newPrice: 1200, reason: 'two more' }],
      ['hold', { reason: 'credit check' }],
      ['unhold', {}],
      ['add-note', { text: 'They will pay in May.' }],
    ] as const) {
      await later(states.at(-1))
      states.push((await service.request('PUT', `${address}/${operation}`, { body })).body as Dated)
    }
  })

  const get = (path: string, headers = {}): Promise<Answered> => service.request('GET', path, { headers })

  testOnEachStore('each revision of a deal is shown as it was, with nothing that can be done', async () => {
    for (const { links: _links, ...state } of states) {
      const { status, body, headers } = await get(`${address}?revision=${state.revision}`)
      const { links, ...then } = body
      assert.equal(status, 200)
      assert.deepEqual(then, state)
      assert.deepEqual(links.operations, {})
      assert.equal(links.self, `${address}?revision=${state.revision}`)
      assert.equal(links.latest, address)
      assert.match(String(headers.link), /rel="latest-version"/)
    }
  })

  testOnEachStore('at an instant a deal is in the revision that was the latest then', async () => {
    for (const { revision, updatedAt } of states) {
      const { body, headers } = await get(`${address}?asOf=${updatedAt}`)
      assert.equal(body.revision, revision)
      assert.equal(headers['content-location'], `${address}?revision=${revision}`)
      const justBefore = new Date(Date.parse(updatedAt) - 1).toISOString()
      const earlier = await get(`${address}?asOf=${justBefore}`)
      assert.equal(
        revision === 1 ? earlier.body.code : earlier.body.revision,
        revision === 1 ? 'revision-not-found' : revision - 1,
      )
    }
    assert.equal((await get(`${address}?asOf=2001-01-01T00:00:00Z`)).status, 404)
  })

  test('a revision keeps its bytes and its tag, also when it is no longer the latest', async () => {
    const latest = states.at(-1)?.revision
    const one = await get(`${address}?revision=${latest}`)
    states.push((await service.request('PUT', `${address}/hold`, { body: { reason: 'again' } })).body as Dated)
    const two = await get(`${address}?revision=${latest}`)
    assert.equal(two.text, one.text)
    assert.equal(two.headers.etag, one.headers.etag)
    assert.equal(
      (await get(`${address}?revision=${latest}`, { 'if-none-match': String(one.headers.etag) })).status,
      304,
    )
  })

  test('the past has every representation, and its page leads to the present', async () => {
    const xml = await get(`${address}.xml?revision=1`)
    assert.match(xml.text, /<name>Ten grinders<\/name>/)
    const page = await get(`${address}?revision=1`, { accept: 'text/html' })
    assert.match(page.text, /This is the past: revision 1 of \d+/)
    assert.ok(page.text.includes(`<a href="${address}" rel="latest-version">`))
    assert.doesNotMatch(page.text.slice(page.text.indexOf('<main')), /<form[^>]*post/)
    assert.ok((await get(`${address}/history`, { accept: 'text/html' })).text.includes(`${address}?revision=1"`))
    assert.equal((await get(`${address}/history/2`)).body.links.past, `${address}?revision=2`)
  })

  test('a deletion leaves no state to lead to', async () => {
    const { id } = await openDeal(service)
    await service.request('DELETE', `${DEALS}/${id}`)
    const { body } = await get(`${DEALS}/${id}/history/2`)
    assert.equal(body.operation, 'delete')
    assert.equal(body.links.past, undefined)
  })

  test('what cannot be asked is told', async () => {
    for (const [query, status, detail] of [
      ['revision=1&asOf=2026-01-01T00:00:00Z', 400, /together/],
      ['revision=0', 400, /integer from 1/],
      ['revision=1.5', 400, /integer from 1/],
      ['revision=', 400, /integer from 1/],
      ['revision=99999999999999999999', 400, /integer from 1/],
      ['revision=1&revision=2', 400, /twice/],
      ['asOf=yesterday', 400, /must be an instant/],
      ['asOf=2026-02-30T00:00:00Z', 400, /must be an instant/],
      ['asOf=9999-01-01T00:00:00Z', 400, /future/],
      ['asof=2026-01-01T00:00:00Z', 400, /did you mean asOf/],
      ['revision=4711', 404, /has reached revision \d+/],
    ] as const) {
      const answer = await get(`${address}?${query}`)
      assert.equal(answer.status, status, query)
      assert.match(answer.body.detail, detail, query)
    }
    const nobody = await get(`${DEALS}/0199d3f2-0000-7000-8000-000000000000?revision=1`)
    assert.deepEqual([nobody.status, nobody.body.code], [404, 'deal-not-found'])
  })

  test('an instant that the thing itself shows is never refused, whatever the clock says', async () => {
    const deal = (await openDeal(service)) as Dated
    const ahead = '2999-01-01T00:00:00.000Z'
    await service.database.rows('UPDATE deals SET updated_at = ? WHERE id = ?', ahead, deal.id)
    assert.equal((await get(`${DEALS}/${deal.id}?asOf=${ahead}`)).status, 200)
    assert.equal((await get(`${DEALS}/${deal.id}?asOf=2999-01-01T00:00:00.001Z`)).status, 400)
  })

  testOnEachStore('a deleted deal can be seen before its deletion', async () => {
    const deal = (await openDeal(service)) as Dated
    const at = `${DEALS}/${deal.id}`
    await later(deal)
    assert.equal((await service.request('DELETE', at)).status, 204)
    assert.equal((await get(at)).status, 410)
    assert.equal((await get(`${at}?revision=1`)).body.name, deal.name)
    assert.equal((await get(`${at}?asOf=${deal.updatedAt}`)).body.name, deal.name)
    const deleted = await get(`${at}?revision=2`)
    assert.deepEqual([deleted.status, deleted.body.code], [410, 'deal-deleted'])
  })

  testOnEachStore('a customer has a past too', async () => {
    const created = (await service.request('POST', '/customers', { body: { name: 'Ana', age: 30 } })).body
    const at = `/customers/${created.id}`
    await service.request('PATCH', at, {
      body: { age: 31 },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    assert.equal((await get(`${at}?revision=1`)).body.age, 30)
    assert.equal((await get(`${at}?revision=2`)).body.age, 31)
    assert.match((await get(`${at}?revision=1`, { accept: 'text/html' })).text, /See it as it is now/)
    assert.equal((await service.request('DELETE', at)).status, 204)
    assert.equal((await get(`${at}?revision=1`)).body.code, 'customer-not-found')
  })

  testOnEachStore('a revision that no event keeps is said to be unrecorded', async () => {
    const patch = (at: string, age: number) =>
      service.request('PATCH', at, { body: { age }, headers: { 'content-type': 'application/merge-patch+json' } })
    const created = (await service.request('POST', '/customers', { body: { name: 'Bo', age: 1 } })).body as Dated
    const at = `/customers/${created.id}`
    const all = [created]
    for (const age of [2, 3, 4]) {
      await later(all.at(-1))
      all.push((await patch(at, age)).body as Dated)
    }
    // As an earlier release left it, which kept no creation, and as an import does, which keeps no change.
    await service.database.rows('DELETE FROM events WHERE subject = ? AND revision IN (1, 3)', String(created.id))
    await service.database.relinked()
    const seen = async (query: string) => {
      const { status, body } = await get(`${at}?${query}`)
      return status === 200 ? body.age : body.detail
    }
    const [first, second, third, fourth] = all.map(({ updatedAt }) => updatedAt)
    assert.match(String(await seen('revision=1')), /not recorded/)
    assert.equal(await seen('revision=2'), 2)
    assert.match(String(await seen('revision=3')), /not recorded/)
    assert.equal(await seen('revision=4'), 4)
    assert.match(String(await seen(`asOf=${first}`)), /not recorded/)
    // When the third revision began is not known, so neither is how long the second lasted.
    assert.match(String(await seen(`asOf=${second}`)), /not recorded/)
    assert.match(String(await seen(`asOf=${third}`)), /not recorded/)
    assert.equal(await seen(`asOf=${fourth}`), 4)
  })
})

/** Instants have milliseconds: waits until another one can be told from a state's own. */
async function later(state: Dated | undefined): Promise<void> {
  while (Date.now() <= Date.parse(state?.updatedAt ?? '')) await turn()
}
