import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { testOnEachStore as test } from '../../support/rooms/each-store.ts'
import { basic, bearer, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { type Answered, runService, type Shown } from '../../support/service/running-service.ts'
import { changeUser } from '../../support/things/audited.ts'
import { makeFormerly } from '../../support/things/people.ts'

// Whom a text for a person means, wherever it comes from.

let service: ClosedService
before(async () => {
  service = await runClosedService()
  for (const body of [
    { name: 'Carla', fullName: 'Carla Núñez', role: 'editor' },
    { name: 'bert', fullName: 'Bert Öztürk', email: 'bert@example.com', role: 'editor' },
    { name: 'bertha', fullName: 'Bert Öztürk', role: 'editor' },
    { name: 'dora', fullName: 'Dora Alt', role: 'editor', disabled: true },
  ])
    assert.equal((await ask('POST', '/users', body)).status, 201)
})
after(() => service.close())

const ask = (method: string, path: string, body?: unknown, headers: object = basic('admin')): Promise<Answered> =>
  service.request(method, path, { headers: { ...headers }, ...(body !== undefined && { body }) })

const makeDeal = async (members: object = {}): Promise<Shown> => {
  const { status, body, text } = await ask('POST', `${DEALS}/`, { name: 'Roof', price: 1, ...members })
  assert.equal(status, 201, text)
  return body
}

const faultOf = ({ status, body }: Answered) => {
  assert.equal(status, 422)
  const [fault, ...others] = body.errors
  assert.deepEqual(others, [])
  return [fault?.pointer, fault?.code, fault?.with?.near ?? fault?.with?.ids ?? null]
}

test('an enabled user is named whatever the case, and the thing has the name as it is spelt', async () => {
  const { id, owner } = await makeDeal({ owner: 'CARLA' })
  assert.equal(owner, 'Carla')
  const assigned = await ask('PUT', `${DEALS}/${id}/assign`, { owner: 'BERT' })
  assert.deepEqual([assigned.body.owner, assigned.body.revision], ['bert', 2])
  const same = await ask('PATCH', `${DEALS}/${id}`, { owner: 'Bert' })
  assert.deepEqual([same.body.owner, same.body.revision], ['bert', 2], 'nothing has changed')
  const { body } = await ask('GET', `${DEALS}/${id}/history`)
  assert.deepEqual(
    (body.items as readonly Shown[]).map(({ params }) => (params as { owner: string }).owner).toSorted(),
    ['Carla', 'bert'],
  )
})

test('whoever is no user is refused, with the one who is probably meant', async () => {
  const { id } = await makeDeal()
  const assign = async (owner: string) => faultOf(await ask('PUT', `${DEALS}/${id}/assign`, { owner }))
  assert.deepEqual(await assign('Karla'), ['/owner', 'not-found', 'Carla'])
  assert.deepEqual(await assign('Carla Núñez'), ['/owner', 'not-found', 'Carla'])
  assert.deepEqual(await assign('bert@example.com'), ['/owner', 'not-found', 'bert'])
  assert.deepEqual(await assign('dora'), ['/owner', 'not-found', null])
  const both = await ask('POST', `${DEALS}/`, { name: '', price: 1, owner: 'Karla' })
  assert.deepEqual(
    both.body.errors.map(({ pointer }) => pointer),
    ['/name', '/owner'],
  )
  assert.match(both.body.detail, /names user Karla, which does not exist; did you mean Carla\?/)
})

test('me is the caller, and nobody for a key without a user', async () => {
  const { body } = await ask('POST', `${DEALS}/`, { name: 'Mine', price: 1, owner: 'me' }, basic('editor'))
  assert.equal(body.owner, 'editor')
  const refused = await ask('POST', `${DEALS}/`, { name: 'Whose', price: 1, owner: 'ME' }, bearer(service.keys.admin))
  assert.deepEqual(faultOf(refused), ['/owner', 'no-caller', null])
})

test('a value that stays as it is is never refused', async () => {
  const id = await makeFormerly(service.store, 'CreateDeal', { name: 'Old', price: 1, owner: 'Karla' })
  const { body } = await ask('GET', `${DEALS}/${id}`)
  const { links: _links, ...fields } = body
  assert.equal((await ask('PUT', `${DEALS}/${id}`, { ...fields, name: 'Older' })).status, 200)
  assert.equal((await ask('PATCH', `${DEALS}/${id}`, { owner: 'Karla', price: 2 })).status, 200)
  assert.equal((await ask('PUT', `${DEALS}/${id}/assign`, { owner: 'Karla' })).status, 200)
  assert.deepEqual(faultOf(await ask('PATCH', `${DEALS}/${id}`, { owner: 'karla' })), ['/owner', 'not-found', 'Carla'])
  assert.equal((await ask('PUT', `${DEALS}/${id}/assign`, { owner: null })).body.owner, null)
})

test('a known command is answered as it was, whoever has gone meanwhile', async () => {
  assert.equal((await ask('POST', '/users', { name: 'emil', role: 'editor' })).status, 201)
  const { id } = await makeDeal()
  const command = `${DEALS}/${id}/commands/${randomUUID()}`
  const asked = { action: 'AssignDeal', params: { owner: 'EMIL' } }
  assert.equal((await ask('PUT', command, asked)).status, 201)
  await changeUser(service.store, 'emil', { disabled: true })
  assert.equal((await ask('PUT', command, asked)).status, 200)
  assert.equal((await ask('GET', `${DEALS}/${id}`)).body.owner, 'emil')
  const again = await ask('PUT', `${DEALS}/${id}/assign`, { owner: 'EMIL' })
  assert.deepEqual(faultOf(again), ['/owner', 'not-found', null])
})

test('pages find people by full name and address too', async () => {
  const { id } = await makeDeal()
  const send = (owner: string) =>
    service.request('POST', `${DEALS}/${id}/assignments`, {
      headers: { ...basic('admin'), accept: 'text/html' },
      body: new URLSearchParams({ owner, _region: 'de-DE' }),
    })
  for (const [text, name] of [
    ['carla núñez', 'Carla'],
    ['bert@Example.com', 'bert'],
    ['Núñez, Carla', 'Carla'],
    ['Bert Öztürk (bert@example.com)', 'bert'],
  ] as const) {
    assert.equal((await send(text)).status, 303, text)
    assert.equal((await ask('GET', `${DEALS}/${id}`)).body.owner, name)
  }
  // The full name of the present person would stay.
  assert.equal((await send('Carla')).status, 303)
  const several = await send('Bert Öztürk')
  assert.equal(several.status, 422)
  assert.match(several.text, /is the name of several people: bert, bertha/)
  const plain = new URLSearchParams({ owner: 'Carla Núñez' })
  assert.equal((await ask('POST', `${DEALS}/${id}/assignments`, plain)).status, 422, 'a program’s form')
})

test('an undo puts back who is nobody', async () => {
  const id = await makeFormerly(service.store, 'CreateDeal', { name: 'Old', price: 1, owner: 'Karla' })
  const headers = { ...basic('admin'), accept: 'text/html' }
  const fields = new URLSearchParams({ owner: 'bert', _command: randomUUID() })
  const sent = await service.request('POST', `${DEALS}/${id}/assignments`, { headers, body: fields })
  assert.equal(sent.status, 303)
  const cookie = String(sent.headers['set-cookie']?.[0]).split(';', 1)[0] ?? ''
  const { text } = await service.request('GET', '/board', { headers: { ...headers, cookie } })
  const [, done = ''] = /name="done" value="([^"]*)"/.exec(text) ?? []
  const undone = await service.request('POST', '/undo', {
    headers,
    body: new URLSearchParams({ done: done.replaceAll('&amp;', '&').replaceAll('&quot;', '"') }),
  })
  assert.equal(undone.status, 303)
  assert.equal((await ask('GET', `${DEALS}/${id}`)).body.owner, 'Karla')
})

test('a service without users takes any text', async () => {
  const open = await runService()
  for (const owner of ['Karla', 'me', 'nobody@example.com']) {
    const { status, body } = await open.request('POST', `${DEALS}/`, { body: { name: 'Roof', price: 1, owner } })
    assert.deepEqual([status, body.owner], [201, owner])
  }
  const field = { on: 'deal', name: 'helper', title: 'Helper', kind: 'user' }
  assert.equal((await open.request('POST', '/fields', { body: field })).status, 201)
  const helped = await open.request('POST', `${DEALS}/`, { body: { name: 'Roof', price: 1, own: { helper: 'Karla' } } })
  assert.deepEqual(faultOf(helped), ['/own/helper', 'not-found', null])
})
