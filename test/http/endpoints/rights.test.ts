import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { closedWithTest } from '../../support/service/closed-with-test.ts'
import { quickHash } from '../../support/service/quick-hash.ts'
import { putUser } from '../../support/things/audited.ts'

type Shown = { readonly [name: string]: never }

async function openService(): Promise<ClosedService> {
  const service = await runClosedService()
  closedWithTest(service.close)
  return service
}

const asking =
  (service: ClosedService) =>
  async (who: string, method: string, path: string, body?: object, headers: { [name: string]: string } = {}) =>
    service.request(method, path, { headers: { ...basic(who), ...headers }, ...(body && { body }) })

const sellers = [
  { on: 'deal', may: ['*'], where: 'owner=me' },
  { on: 'deal', may: ['read'], where: 'owner=my-team&price.lt=1000' },
  { on: 'task', may: ['*'], where: 'assignee=me' },
]

/** Anna sells in a team with Ben; Carl is in none. */
async function withSellers(service: ClosedService) {
  const ask = asking(service)
  const role = await ask('admin', 'POST', '/roles', { name: 'seller', title: 'Seller', grants: [] })
  assert.equal(role.status, 201, role.text)
  for (const name of ['anna', 'ben', 'carl']) {
    await putUser(service.store, { name, role: 'editor', hash: quickHash(`password of ${name}`) })
    const changed = await ask('admin', 'PATCH', `/users/${name}`, { role: 'seller' })
    assert.equal(changed.status, 200, changed.text)
  }
  await ask('admin', 'POST', '/teams', { name: 'north', title: 'North', members: ['anna', 'ben'] })
  const granted = await ask('admin', 'PATCH', '/roles/seller', { grants: sellers })
  assert.equal(granted.status, 200, granted.text)
  const made = async (name: string, owner: string | null, price: number): Promise<string> => {
    const { status, body, text } = await ask('admin', 'POST', '/rest/v1/deals/', { name, owner, price })
    assert.equal(status, 201, text)
    return String(body.id)
  }
  return {
    ask,
    own: await made('Anna one', 'anna', 5000),
    shared: await made('Ben small', 'ben', 500),
    large: await made('Ben large', 'ben', 5000),
    other: await made('Carl one', 'carl', 10),
    nobodys: await made('Nobody', null, 10),
  }
}

testOnEachStore('a role sees the things of its grants, and nothing else, wherever it looks', async () => {
  const service = await openService()
  const { ask, own, shared, large, other } = await withSellers(service)
  const names = async (path: string): Promise<readonly unknown[]> => {
    const { status, body, text } = await ask('anna', 'GET', path)
    assert.equal(status, 200, `${path} ${text}`)
    return ((body.items ?? []) as unknown as Shown[]).map(({ name }) => name)
  }
  assert.deepEqual(await names('/rest/v1/deals/?sort=name'), ['Anna one', 'Ben small'])
  assert.deepEqual(await names('/rest/v1/deals/?sort=-price&price.gte=1'), ['Anna one', 'Ben small'])
  assert.deepEqual(await names('/rest/v1/deals/?q=one'), ['Anna one'])
  const counted = await ask('anna', 'GET', '/rest/v1/deals/?count=exact&limit=1')
  assert.equal(counted.body.total ?? counted.headers['total-count'], 2, counted.text)
  const groups = (await ask('anna', 'GET', '/rest/v1/deals/?group=owner&measure=count,max.price&currency=EUR')).body
  assert.deepEqual(
    (groups.items as unknown as Shown[]).map((each) => [each.owner, each.count]),
    [
      ['anna', 1],
      ['ben', 1],
    ],
  )
  for (const id of [large, other]) {
    for (const path of ['', '/history', '/actions', '/commands', '?asOf=2126-01-01T00:00:00Z', '/history/1'])
      assert.equal((await ask('anna', 'GET', `/rest/v1/deals/${id}${path}`)).status, 404, path)
    assert.equal((await ask('anna', 'PUT', `/rest/v1/deals/${id}/hold`, { reason: 'x' })).status, 404)
    assert.equal((await ask('anna', 'DELETE', `/rest/v1/deals/${id}`)).status, 404)
  }
  assert.equal((await ask('anna', 'GET', `/rest/v1/deals/${shared}`)).status, 200)
  assert.deepEqual((await ask('anna', 'GET', `/rest/v1/deals/${shared}`)).body.links?.operations, {})
  assert.ok('hold' in Object((await ask('anna', 'GET', `/rest/v1/deals/${own}`)).body.links?.operations))
  const seen = (await ask('anna', 'GET', '/events?count=exact')).body
  assert.deepEqual(
    (seen.items as unknown as { subject: string }[]).map(({ subject }) => subject).toSorted(),
    [own, shared].toSorted(),
  )
  assert.equal((await ask('anna', 'GET', '/customers')).status, 403)
  const found = (await ask('anna', 'GET', '/search?q=Ben')).body.items as unknown as Shown[]
  assert.deepEqual(
    found.filter(({ type }) => type === 'deal').map(({ name }) => name),
    ['Ben small'],
  )
})

testOnEachStore(
  'what may be seen and not be done is 403 with what is allowed; what can never be done, too',
  async () => {
    const service = await openService()
    const { ask, own, shared } = await withSellers(service)
    const refused = await ask('anna', 'PUT', `/rest/v1/deals/${shared}/hold`, { reason: 'x' })
    assert.deepEqual([refused.status, refused.body.code, refused.body.allowed], [403, 'not-allowed', []], refused.text)
    assert.equal((await ask('anna', 'PATCH', `/rest/v1/deals/${shared}`, { name: 'Mine' }, merge)).status, 403)
    // Before what guards it, and what is wrong with it.
    const guarded = await ask('anna', 'PUT', `/rest/v1/deals/${shared}/hold`, {}, { 'if-match': '"r9"' })
    assert.equal(guarded.status, 403)
    assert.equal((await ask('anna', 'POST', '/customers', { name: 'x' })).status, 403)
    assert.equal((await ask('anna', 'DELETE', '/customers/1')).status, 403)
    assert.equal((await ask('anna', 'POST', '/rates', {})).status, 403)
    assert.equal((await ask('anna', 'PUT', `/rest/v1/deals/${own}/hold`, { reason: 'x' })).status, 200)
    const made = await ask('anna', 'POST', '/rest/v1/deals/', { name: 'New', price: 1 })
    assert.deepEqual([made.status, made.body.owner], [201, 'anna'], made.text)
    const anothers = await ask('anna', 'POST', '/rest/v1/deals/', { name: 'New', price: 1, owner: 'carl' })
    assert.equal(anothers.status, 403, anothers.text)
    const batch = await ask('anna', 'POST', '/rest/v1/batch', {
      commands: [{ deal: shared, action: 'hold', params: { reason: 'x' } }],
    })
    assert.equal((batch.body.results as unknown as { status: string }[])[0]?.status, 'rejected', batch.text)
  },
)

const merge = { 'content-type': 'application/merge-patch+json' }

testOnEachStore('rights that change hold at once, and in doubt nothing is allowed', async () => {
  const service = await openService()
  const { ask, own, other } = await withSellers(service)
  const count = async (who: string): Promise<unknown> =>
    ((await ask(who, 'GET', '/rest/v1/deals/')).body.items as unknown as Shown[]).length
  assert.equal(await count('anna'), 2)
  await ask('admin', 'PATCH', '/teams/north', { members: ['anna'] })
  assert.equal(await count('anna'), 1)
  await ask('admin', 'PATCH', '/roles/seller', { grants: [{ on: 'deal', may: ['read'] }] })
  assert.equal(await count('anna'), 5)
  assert.equal((await ask('anna', 'PUT', `/rest/v1/deals/${own}/hold`, { reason: 'x' })).status, 403)
  await ask('admin', 'PATCH', '/roles/seller', { grants: [] })
  assert.equal((await ask('anna', 'GET', '/rest/v1/deals/')).status, 403)
  assert.equal((await ask('anna', 'GET', `/rest/v1/deals/${other}`)).status, 404)
  const used = await ask('admin', 'DELETE', '/roles/seller')
  assert.deepEqual([used.status, used.body.code], [409, 'in-use'])
  assert.deepEqual(
    (used.body.usedBy as unknown as Shown[]).map(({ on, name }) => [on, name]),
    [
      ['user', 'anna'],
      ['user', 'ben'],
      ['user', 'carl'],
    ],
  )
  await ask('admin', 'PATCH', '/users/anna', { role: 'reader' })
  while ((await ask('anna', 'GET', '/rest/v1/deals/')).status === 403);
  assert.equal(await count('anna'), 5)
})

testOnEachStore('a relation to what is not seen is null: in filters, searches and expansions', async () => {
  const service = await openService()
  const { ask, own } = await withSellers(service)
  const customer = await ask('admin', 'POST', '/customers', { name: 'Zephyr', email: 'z@example.com', country: 'DE' })
  assert.equal(customer.status, 201, customer.text)
  const id = customer.body.id
  await ask('admin', 'PUT', `/rest/v1/deals/${own}/change-customer`, { customerId: id })
  const items = async (query: string): Promise<number> =>
    ((await ask('anna', 'GET', `/rest/v1/deals/?${query}`)).body.items as unknown as Shown[]).length
  for (const query of [
    'customer.country=DE',
    'q=Zephyr',
    'customer.name.starts=Z',
    'not.or=(customer.country.is.null)',
  ])
    assert.equal(await items(query), 0, query)
  assert.equal(await items('customer.country.null=true'), 2)
  assert.equal(await items('customer.country.ne=DE'), 2)
  const expanded = (await ask('anna', 'GET', `/rest/v1/deals/${own}?expand=customer`)).body
  assert.deepEqual([expanded.customerId, expanded.customer], [id, null])
  assert.equal((await ask('anna', 'POST', '/rest/v1/tasks', { title: 'x', customerId: id })).status, 422)
  await ask('admin', 'PATCH', '/roles/seller', {
    grants: [...sellers, { on: 'customer', may: ['read'], where: 'country=DE' }],
  })
  assert.equal(await items('customer.country=DE'), 1)
  assert.equal(await items('customer.country.null=true'), 1)
  assert.equal(
    ((await ask('anna', 'GET', `/rest/v1/deals/${own}?expand=customer`)).body.customer as Shown).name,
    'Zephyr',
  )
})

test('a key with a role of its own may what it and its user may', async () => {
  const service = await openService()
  const { ask } = await withSellers(service)
  await ask('admin', 'POST', '/roles', {
    name: 'small',
    title: 'Small',
    grants: [{ on: 'deal', may: ['read'], where: 'price.lt=1000' }],
  })
  const made = await ask('anna', 'POST', '/users/anna/keys', { name: 'small', role: 'small' })
  assert.equal(made.status, 201, made.text)
  const list = await service.request('GET', '/rest/v1/deals/', {
    headers: { authorization: `Bearer ${made.body.secret}` },
  })
  assert.deepEqual(
    (list.body.items as unknown as Shown[]).map(({ name }) => name),
    ['Ben small'],
  )
})
