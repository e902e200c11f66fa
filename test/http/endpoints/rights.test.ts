import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, type ClosedService, runClosedService } from '../../support/service/closed-service.ts'
import { closedWithTest } from '../../support/service/closed-with-test.ts'
import { openEventSource } from '../../support/service/event-source.ts'
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

test('the grants of a role are shown to those who have it', async () => {
  const service = await openService()
  const { ask } = await withSellers(service)
  assert.deepEqual((await ask('anna', 'GET', '/roles/seller')).body.grants, sellers)
  assert.equal((await ask('anna', 'GET', '/roles/editor')).body.grants, undefined)
  assert.equal((await ask('editor', 'GET', '/roles/seller')).body.grants, undefined)
  assert.match((await ask('anna', 'GET', '/audit')).body.detail, /anna has seller/)
})

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

testOnEachStore('a repeat shows nothing that is out of sight: somebody else’s is about nothing', async () => {
  const service = await openService()
  const { ask, shared, other } = await withSellers(service)
  const body = { reason: 'credit check' }
  const key = (id: string) => ({ 'idempotency-key': id })
  for (const id of [other, shared])
    assert.equal((await ask('admin', 'PUT', `/rest/v1/deals/${id}/hold`, body, key(`admin-${id}`))).status, 200)
  const hidden = await ask('anna', 'PUT', `/rest/v1/deals/${other}/hold`, body, key(`admin-${other}`))
  assert.deepEqual([hidden.status, hidden.body.code], [404, 'deal-not-found'], hidden.text)
  assert.ok(!hidden.text.includes('Carl'))
  const made = { name: 'Secret of admin', price: 9_999_999, owner: 'carl' }
  assert.equal((await ask('admin', 'POST', '/rest/v1/deals/', made, key('made-by-admin'))).status, 201)
  const repeated = await ask('anna', 'POST', '/rest/v1/deals/', made, key('made-by-admin'))
  assert.equal(repeated.status, 404, repeated.text)
  const many = { commands: [{ action: 'create', params: made, commandId: 'made-by-admin' }] }
  const batch = await ask('anna', 'POST', '/rest/v1/batch', many)
  assert.ok(!batch.text.includes('Secret of admin') && !batch.text.includes('9999999'), batch.text)
  assert.equal((await ask('admin', 'PUT', `/rest/v1/deals/${other}/unhold`, {})).status, 200)
  assert.equal((await ask('admin', 'PUT', `/rest/v1/deals/${other}/unhold`, {}, key('refused'))).status, 409)
  const stored = await ask('anna', 'PUT', `/rest/v1/deals/${other}/unhold`, {}, key('refused'))
  assert.equal(stored.status, 404, stored.text)
})

testOnEachStore(
  'a change that leads out of the caller’s sight is answered with nothing, also when repeated',
  async () => {
    const service = await openService()
    const { ask, own } = await withSellers(service)
    const assigned = await ask(
      'anna',
      'PUT',
      `/rest/v1/deals/${own}/assign`,
      { owner: 'carl' },
      { 'idempotency-key': 'a-1' },
    )
    assert.deepEqual([assigned.status, assigned.text, assigned.headers.location], [204, '', undefined])
    assert.equal((await ask('anna', 'GET', `/rest/v1/deals/${own}`)).status, 404)
    const again = await ask(
      'anna',
      'PUT',
      `/rest/v1/deals/${own}/assign`,
      { owner: 'carl' },
      { 'idempotency-key': 'a-1' },
    )
    assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [204, '', 'true'])
    await ask('admin', 'PATCH', '/roles/seller', {
      grants: [...sellers, { on: 'deal', may: ['create'] }],
    })
    const made = await ask('anna', 'POST', '/rest/v1/deals/', { name: 'For Carl', price: 1, owner: 'carl' })
    assert.deepEqual([made.status, made.text, made.headers.location], [204, '', undefined])
    const tried = await ask('anna', 'POST', '/rest/v1/deals/?dry-run=true', {
      name: 'For Carl',
      price: 1,
      owner: 'carl',
    })
    assert.deepEqual([tried.status, tried.text], [204, ''])
    const batch = await ask('anna', 'POST', '/rest/v1/batch', {
      commands: [{ action: 'create', params: { name: 'For Carl', price: 1, owner: 'carl' } }],
    })
    assert.deepEqual(batch.body.results, [{ index: 0, status: 'applied' }])
    const resource = { type: 'deals', attributes: { name: 'For Carl', price: 1, owner: 'carl' } }
    const door = await ask(
      'anna',
      'POST',
      '/jsonapi/deals',
      { data: resource },
      { 'content-type': 'application/vnd.api+json' },
    )
    assert.deepEqual([door.status, door.text, door.headers.location], [204, '', undefined])
    const row = { name: 'For Carl', price: 1, owner: 'carl' }
    const rows = await ask('anna', 'POST', '/postgrest/deals', row, { prefer: 'return=representation' })
    assert.deepEqual([rows.status, rows.text], [201, '[]'])
    const entity = await ask('anna', 'POST', '/odata/Deals', { Name: 'For Carl', Price: 1, Owner: 'carl' })
    assert.equal(entity.text.includes('For Carl'), false, entity.text)
  },
)

testOnEachStore('problems name nothing that is not seen, and what a grant names is in use', async () => {
  const service = await openService()
  const { ask, own, other, shared } = await withSellers(service)
  for (const [id, reference] of [
    [other, 'CARL-1'],
    [shared, 'BEN-1'],
  ])
    assert.equal((await ask('admin', 'PATCH', `/rest/v1/deals/${id}`, { reference }, merge)).status, 200)
  const taken = await ask('anna', 'PATCH', `/rest/v1/deals/${own}`, { reference: 'CARL-1' }, merge)
  assert.deepEqual([taken.status, taken.body.code, taken.body.other], [409, 'not-unique', undefined], taken.text)
  assert.ok(!taken.text.includes(other))
  const known = await ask('anna', 'PATCH', `/rest/v1/deals/${own}`, { reference: 'BEN-1' }, merge)
  assert.deepEqual([known.body.code, known.body.other], ['not-unique', shared])
  const customer = await ask('admin', 'POST', '/customers', { name: 'Zephyr', email: 'z@example.com', country: 'DE' })
  await ask('admin', 'PUT', `/rest/v1/deals/${other}/change-customer`, { customerId: customer.body.id })
  const field = await ask('admin', 'POST', '/fields', { on: 'deal', name: 'margin', title: 'Margin', kind: 'integer' })
  assert.equal(field.status, 201, field.text)
  const granted = await ask('admin', 'PATCH', '/roles/seller', {
    grants: [...sellers, { on: 'customer', may: ['*'] }, { on: 'deal', may: ['read'], where: 'own.margin.gt=5' }],
  })
  assert.equal(granted.status, 200, granted.text)
  const used = await ask('admin', 'PUT', `/fields/${field.body.id}/retire`, {})
  assert.deepEqual([used.status, used.body.code], [409, 'in-use'], used.text)
  assert.deepEqual(used.body.usedBy, [{ on: 'role', id: 'seller', name: 'seller' }])
  const held = await ask('anna', 'DELETE', `/customers/${customer.body.id}`)
  assert.equal(held.status, 409, held.text)
  assert.ok(!held.text.includes(other) && !held.text.includes('Carl'), held.text)
})

testOnEachStore('streams of events and live lists tell of what is seen alone', async () => {
  const service = await openService()
  const { ask, own, other } = await withSellers(service)
  const events = await openEventSource(`${service.url}/events`, basic('anna'))
  const list = await openEventSource(`${service.url}/rest/v1/deals/`, basic('anna'))
  await ask('admin', 'PUT', `/rest/v1/deals/${other}/hold`, { reason: 'Xyzzyq' })
  await ask('admin', 'POST', '/rest/v1/deals/', { name: 'Xyzzyq', price: 1, owner: 'carl' })
  await ask('admin', 'PUT', `/rest/v1/deals/${own}/hold`, { reason: 'credit check' })
  const has = ({ messages }: typeof events, text: string): boolean => messages.some(({ data }) => data.includes(text))
  for (let n = 1; !has(events, 'credit check'); n++) await events.received(n)
  for (let n = 1; !has(list, 'credit check'); n++) await list.received(n)
  const told = JSON.stringify([events.messages, list.messages])
  assert.ok(!told.includes('Xyzzyq') && !told.includes(other), told)
  const before = list.messages.length
  await ask('admin', 'PUT', `/rest/v1/deals/${own}/assign`, { owner: 'carl' })
  await list.received(before + 1)
  assert.deepEqual([list.messages[before]?.type, has(list, 'carl')], ['leave', false])
})
