import assert from 'node:assert/strict'
import { before } from 'node:test'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { roomService } from '../../support/service/room-service.ts'
import type { TestService } from '../../support/service/running-service.ts'

let service: TestService
let muller: number
let roof: string
before(async () => {
  service = await roomService()
  const add = async (path: string, body: object) => (await service.request('POST', path, { body })).body as never
  muller = ((await add('/customers', { name: 'Müller', company: 'Dachbau' })) as { id: number }).id
  await add('/customers', { name: 'Anna Müllerin' })
  await add('/customers', { name: 'Mullers Söhne' })
  roof = ((await add(DEALS, { name: 'Roof', price: 5, customerId: muller })) as { id: string }).id
  await add(DEALS, { name: 'Muller', price: 5 })
  for (let n = 0; n < 25; n++) await add('/customers', { name: `Zed ${n}` })
})

interface Found {
  readonly type: string
  readonly id: string | number
  readonly name: string
  readonly match: string
  readonly href: string
}
async function found(text: string): Promise<readonly Found[]> {
  const answer = await service.request('GET', `/search?q=${encodeURIComponent(text)}`)
  assert.equal(answer.status, 200, answer.text)
  return (answer.body as unknown as { items: readonly Found[] }).items
}

testOnEachStore('a search finds things of every kind, best first', async () => {
  const items = await found('MULLER')
  assert.deepEqual(
    items.map(({ type, name, match }) => `${match} ${type} ${name}`),
    [
      'exact deal Muller',
      'exact customer Müller',
      'starts customer Mullers Söhne',
      'contains deal Roof',
      'contains customer Anna Müllerin',
    ],
  )
  for (const { href, id } of items) assert.equal((await service.request('GET', href)).body.id, id)
})

testOnEachStore('at most twenty of each kind are shown', async () => {
  const items = await found('zed')
  assert.equal(items.length, 20)
  assert.equal((await found('zed 3'))[0]?.match, 'exact')
})

testOnEachStore('a number or an id finds its thing', async () => {
  assert.deepEqual((await found(String(muller)))[0]?.name, 'Müller')
  assert.deepEqual(
    (await found(roof)).map(({ name, match }) => [name, match]),
    [['Roof', 'id']],
  )
  await service.request('DELETE', `${DEALS}/${roof}`)
  assert.deepEqual(await found(roof), [])
})

test('a search is a page for people and a document for programs', async () => {
  const html = await service.request('GET', '/search?q=anna', { headers: { accept: 'text/html' } })
  assert.match(html.text, /Anna Müllerin/)
  const xml = await service.request('GET', '/search.xml?q=anna')
  assert.match(xml.text, /<name>Anna Müllerin<\/name>/)
})

test('a search for nothing, for too much, and with an unknown parameter is refused', async () => {
  for (const query of [
    '',
    '?q=',
    '?q=+',
    `?q=${'a'.repeat(201)}`,
    `?q=${'a+'.repeat(5)}b+c+d+e+f+g+h+i+j+k`,
    '?q=a&x=1',
  ]) {
    const answer = await service.request('GET', `/search${query}`)
    assert.equal(answer.status, 400, query)
    assert.equal(answer.body.code, 'invalid-parameter', query)
  }
})
