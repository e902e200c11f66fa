import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { testOnEachStore as test } from '../../support/rooms/each-store.ts'
import { basic, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { DEALS } from '../../support/service/making-deals.ts'
import { type Answered, runService } from '../../support/service/running-service.ts'
import { changeUser } from '../../support/things/audited.ts'
import { addPeople, makeFormerly } from '../../support/things/people.ts'

// A filter for texts that name nobody, in every dialect and door.

let service: ClosedService
before(async () => {
  service = await runClosedService()
  await addPeople(service.store, 'Özlem', 'gone', 'José')
  await changeUser(service.store, 'gone', { disabled: true })
  for (const owner of ['ÖZLEM', 'editor', 'gone', 'Jose', 'Karla', null])
    await makeFormerly(service.store, 'CreateDeal', { name: `of ${owner}`, price: 1, owner })
  for (const assignee of ['Editor', 'Karla', null])
    await makeFormerly(service.store, 'CreateTask', { title: `of ${assignee}`, assignee })
  const field = { on: 'deal', name: 'helper', title: 'Helper', kind: 'user' }
  assert.equal((await ask('POST', '/fields', field)).status, 201)
  await makeFormerly(service.store, 'CreateDeal', { name: 'helped', price: 1, own: { helper: 'editor' } })
})
after(() => service.close())

const ask = (method: string, path: string, body?: unknown, headers: object = {}): Promise<Answered> =>
  service.request(method, path, { headers: { ...basic('admin'), ...headers }, ...(body !== undefined && { body }) })

const names = (items: unknown): readonly string[] =>
  (items as readonly { readonly name?: string; readonly title?: string }[])
    .map((each) => each.name ?? each.title ?? '')
    .toSorted()

async function found(path: string): Promise<readonly string[]> {
  const { status, body, text } = await ask('GET', path)
  assert.equal(status, 200, text)
  return names(body.items)
}

const nobody = ['of Jose', 'of Karla']
const somebody = ['helped', 'of editor', 'of gone', 'of null', 'of ÖZLEM']

for (const spelling of [
  'owner.unknown=true',
  'owner[unknown]=true',
  'filter[owner][unknown]=true',
  'or=(owner.unknown.true)',
  'and=(not.and(owner.unknown.false))',
  '$filter=unknown(owner)',
  '$filter=not%20(not%20unknown(owner))',
  `filter=${encodeURIComponent('{"owner":{"unknown":true}}')}`,
  `filter=${encodeURIComponent('{"not":{"owner":{"unknown":false}}}')}`,
  'owner.unknown=true&sort=-price,name&count=exact',
]) {
  test(`finds who is no user, whatever the case: ${spelling}`, async () => {
    assert.deepEqual(await found(`${DEALS}?${spelling}`), nobody)
  })
}

test('what is not unknown is a user, disabled or not, or nobody', async () => {
  assert.deepEqual(await found(`${DEALS}?owner.unknown=false`), somebody)
  assert.deepEqual(await found(`${DEALS}?$filter=not%20unknown(owner)`), somebody)
  assert.deepEqual(await found(`${DEALS}?owner.unknown=true&owner.unknown=false`), [...nobody, ...somebody].toSorted())
  assert.deepEqual(await found('/rest/v1/tasks?assignee.unknown=true'), ['of Karla'])
  assert.deepEqual(await found(`${DEALS}?own.helper.unknown=true`), [])
  assert.deepEqual(await found('/rest/v1/tasks?deal.owner.unknown=true'), [])
})

test('is found through every door', async () => {
  const query = '{ deals(where: {owner: {unknown: true}}) { nodes { name } } }'
  const inGraphql = JSON.parse((await ask('POST', '/graphql', { query })).text)
  assert.deepEqual(names(inGraphql.data.deals.nodes), nobody)
  const { body: inOdata } = await ask('GET', '/odata/Deals?$filter=unknown(owner)')
  assert.deepEqual(names(inOdata.value), nobody)
  const inPostgrest = JSON.parse((await ask('GET', '/postgrest/deals?owner=unknown.true')).text)
  assert.deepEqual(names(inPostgrest), nobody)
  const negated = JSON.parse((await ask('GET', '/postgrest/deals?owner=not.unknown.true')).text)
  assert.deepEqual(names(negated), somebody)
  const jsonapi = JSON.parse(
    (await ask('GET', '/jsonapi/deals?filter[owner][unknown]=true', undefined, { accept: 'application/vnd.api+json' }))
      .text,
  )
  assert.deepEqual(names(jsonapi.data.map(({ attributes }: { attributes: object }) => attributes)), nobody)
  const params = { filter: { owner: { unknown: true } } }
  const inRpc = await ask('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'deals.list', params })
  assert.deepEqual(names((inRpc.body.result as { readonly items: unknown }).items), nobody)
})

test('is 400 in live lists and of other fields, and 422 in webhooks', async () => {
  const live = await ask('GET', `${DEALS}?owner.unknown=true`, undefined, { accept: 'text/event-stream' })
  assert.deepEqual([live.status, live.body.errors[0]?.code], [400, 'beyond-the-thing'])
  const other = await ask('GET', `${DEALS}?name.unknown=true`)
  assert.deepEqual([other.status, other.body.errors[0]?.code], [400, 'not-for-persons'])
  const hook = { url: 'https://example.com/', types: ['deal.*'], where: 'owner.unknown=true' }
  const refused = await ask('POST', '/webhooks', hook)
  assert.deepEqual([refused.status, refused.body.errors[0]?.pointer], [422, '/where'])
})

test('a page says what is filtered, and a view keeps it', async () => {
  const { text } = await ask('GET', `${DEALS}?owner.unknown=true`, undefined, { accept: 'text/html' })
  assert.match(text, /Owner is not a user/)
  const saved = await ask('POST', '/views', { name: 'Nobody’s', collection: 'deals', query: 'owner.unknown=true' })
  assert.equal(saved.status, 201, saved.text)
  assert.deepEqual(await found(`/views/${saved.body.id}/items`), nobody)
})

test('without users every text is unknown', async () => {
  const open = await runService()
  for (const owner of ['Karla', null])
    await open.request('POST', `${DEALS}/`, { body: { name: `of ${owner}`, price: 1, owner } })
  const { body } = await open.request('GET', `${DEALS}?owner.unknown=true`)
  assert.deepEqual(names(body.items), ['of Karla'])
})
