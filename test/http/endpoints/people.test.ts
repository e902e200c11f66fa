import assert from 'node:assert/strict'
import { before, suite } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, bearer, type ClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { closedRoomService } from '../../support/service/room-service.ts'
import { makeFormerly } from '../../support/things/people.ts'

let service: ClosedService
const admin = { headers: basic('admin') }
const page = { headers: { ...basic('admin'), accept: 'text/html' } }

before(async () => {
  service = await closedRoomService()
  for (const [name, owner] of [
    ['Roof', 'Mila Sanz'],
    ['Lift', 'Mila Sanz'],
    ['Oven', 'Mila Sanz'],
    ['Vans', 'editor'],
  ]) {
    const id = await makeFormerly(service.store, 'CreateDeal', { name, price: 1, owner })
    if (name === 'Oven') await service.request('PUT', `${DEALS}/${id}/complete`, { ...admin, body: {} })
  }
  await service.request('POST', `${DEALS}/`, { ...admin, body: { name: 'Door', price: 1 } })
})

suite('a person', () => {
  testOnEachStore('is found by a search, by any part of the full name', async () => {
    await service.request('POST', '/users', {
      ...admin,
      body: { name: 'bert', fullName: 'Bert Wörther', role: 'reader' },
    })
    const found = async (text: string) => {
      const { body } = await service.request('GET', `/search?q=${encodeURIComponent(text)}`, admin)
      return (body.items as readonly { readonly [name: string]: unknown }[]).filter(({ type }) => type === 'person')
    }
    const bert = { type: 'person', id: 'bert', name: 'Bert Wörther', updatedAt: null, href: '/people/bert' }
    assert.deepEqual(await found('worth'), [{ ...bert, match: 'contains' }])
    assert.deepEqual(await found('bert wörther'), [{ ...bert, match: 'exact' }])
    const { text } = await service.request('GET', '/search?q=bert', page)
    assert.match(text, /<h2 id="found-person">People<\/h2>.*<mark>Bert<\/mark> Wörther<\/a>/s)
    const { body } = await service.request('GET', '/search?q=worhter', admin)
    assert.equal((body as { readonly didYouMean?: string }).didYouMean, 'Wörther')
  })

  testOnEachStore('is a user, or a name that deals were given as text', async () => {
    const { status, body } = await service.request('GET', '/people/editor', { headers: basic('reader') })
    assert.deepEqual([status, body.name, body.fullName], [200, 'editor', null])
    assert.equal(body.links.deals, `${DEALS}?owner=editor`)
    assert.equal((await service.request('GET', '/people/me', { headers: basic('reader') })).body.name, 'reader')
    assert.equal((await service.request('GET', '/people/Mila%20Sanz', admin)).body.name, 'Mila Sanz')
    assert.equal((await service.request('GET', '/people/Nobody', admin)).body.code, 'user-not-found')
    assert.equal((await service.request('GET', '/people/me', { headers: bearer(service.keys.admin) })).status, 400)
  })

  test('is linked under a name that ends like a format', async () => {
    const id = await makeFormerly(service.store, 'CreateDeal', { name: 'Crane', price: 1, owner: 'acme.csv' })
    const { text } = await service.request('GET', `${DEALS}/${id}`, page)
    assert.match(text, /href="\/people\/acme%2Ecsv"/)
    const { body } = await service.request('GET', '/people/acme%2Ecsv', admin)
    assert.deepEqual([body.name, body.links.self], ['acme.csv', '/people/acme%2Ecsv'])
    const own = (await service.request('GET', '/people/acme%2Ecsv', page)).text
    assert.match(own, /value="\/people\/acme%2Ecsv#tasks"/)
    assert.doesNotMatch(own, /people\/acme\.csv/)
  })

  testOnEachStore('is found by a part of their name whatever its case, in every script', async () => {
    const patch = { ...admin, body: { fullName: '𞤀𞤣𞤤𞤢𞤥 Ωmega Öz' } }
    assert.equal((await service.request('PATCH', '/users/editor', patch)).status, 200)
    for (const part of ['𞤢𞤁', '𞤀𞤣', 'ΩM', 'oz']) {
      const { body } = await service.request('GET', `/people?fullName.contains=${encodeURIComponent(part)}`, admin)
      assert.deepEqual(
        (body.items as readonly { readonly name: string }[]).map(({ name }) => name),
        ['editor'],
        part,
      )
    }
  })

  test('has a page with their open deals and what they did', async () => {
    const { text } = await service.request('GET', '/people/Mila%20Sanz', page)
    assert.match(text, /Roof/)
    assert.doesNotMatch(text, /Oven/)
    assert.match(text, /No user has this name/)
    const own = await service.request('GET', '/people/admin', page)
    assert.match(own.text, /<b>admin<\/b> created/)
  })
})
