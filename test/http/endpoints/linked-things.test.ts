import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { openMaintenance } from '../../../src/store/open.ts'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { openEventSource } from '../../support/service/event-source.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { type Answered, openService, type TestService } from '../../support/service/running-service.ts'

// A service of its own: a change of the model holds for every test beside.

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

const ask = (method: string, path: string, body?: object): Promise<Answered> =>
  service.request(method, path, { ...(body && { body }) })

testOnEachStore('what other things name is not deleted, and they are listed', async () => {
  const retiring: string[] = []
  for (const field of [
    { on: 'customer', name: 'bestDeal', title: 'Best deal', kind: 'link', options: { to: 'deal' } },
    { on: 'task', name: 'guarantor', title: 'Guarantor', kind: 'link', options: { to: 'customer' } },
  ]) {
    const made = await ask('POST', '/fields', field)
    assert.equal(made.status, 201, made.text)
    retiring.push(`/fields/${made.body.id}/retired`)
  }
  const deal = await openDeal(service, { name: 'Named' })
  const customer = (await ask('POST', '/customers', { name: 'Ann', own: { bestDeal: deal.id } })).body
  const task = (await ask('POST', '/rest/v1/tasks', { title: 'Ask Ann', own: { guarantor: customer.id } })).body
  const own = (await ask('POST', DEALS, { name: "Ann's", price: 1, customerId: customer.id })).body
  const usedBy = [
    { on: 'deal', id: own.id, name: "Ann's" },
    { on: 'task', id: task.id, name: 'Ask Ann' },
  ]
  const kept = await ask('DELETE', `/customers/${customer.id}`)
  assert.deepEqual([kept.status, kept.body.code, kept.body.usedBy], [409, 'customer-in-use', usedBy])
  for (const [method, path] of [
    ['DELETE', `${DEALS}/${deal.id}`],
    ['PUT', `${DEALS}/${deal.id}/delete`],
    ['POST', `${DEALS}/${deal.id}/deletions?dry-run=true`],
  ] as const) {
    const named = await ask(method, path)
    assert.deepEqual([named.status, named.body.code], [409, 'in-use'])
    assert.deepEqual(named.body.usedBy, [{ on: 'customer', id: customer.id, name: 'Ann' }])
  }
  const batch = { atomic: true, commands: [{ deal: deal.id, action: 'DeleteDeal' }] }
  const refused = await ask('POST', '/rest/v1/batch', batch)
  assert.ok(refused.text.includes('"usedBy"'), refused.text)
  for (const path of retiring) assert.equal((await ask('PUT', path)).status, 200)
  assert.equal((await ask('DELETE', `${DEALS}/${deal.id}`)).status, 204, 'a retired field names nothing')
})

testOnEachStore('a link names no deleted deal, and one that is gone leads nowhere', async () => {
  const field = { on: 'deal', name: 'parent', title: 'Parent', kind: 'link', options: { to: 'deal' } }
  const made = await ask('POST', '/fields', field)
  assert.equal(made.status, 201, made.text)
  const customerField = await ask('POST', '/fields', { ...field, on: 'customer' })
  assert.equal(customerField.status, 201, customerField.text)
  const [parent, child] = [await openDeal(service, { name: 'Parent' }), await openDeal(service, { name: 'Child' })]
  const remove = () => ask('DELETE', `${DEALS}/${parent.id}`)
  assert.equal((await remove()).status, 204)
  const own = { parent: parent.id }
  const setFields = { deal: child.id, action: 'SetDealFields', params: { own } }
  for (const [method, path, body] of [
    ['PUT', `${DEALS}/${child.id}/set-fields`, { own }],
    ['PATCH', `${DEALS}/${child.id}`, { own }],
    ['POST', DEALS, { name: 'Other child', price: 1, own }],
    ['POST', '/customers', { name: 'Ben', own }],
  ] as const) {
    const refused = await ask(method, path, body)
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.code], [422, 'not-found'], `${path} ${refused.text}`)
  }
  const commands = [
    { deal: parent.id, action: 'RestoreDeal', params: {} },
    setFields,
    { deal: child.id, action: 'SetDealFields', params: { own: { parent: null } } },
    { deal: parent.id, action: 'DeleteDeal' },
    setFields,
  ]
  const batch = await ask('POST', '/rest/v1/batch', { atomic: false, commands })
  const statuses = batch.body.results as unknown as readonly { readonly status: string }[]
  assert.deepEqual(
    statuses.map(({ status }) => status),
    ['applied', 'applied', 'applied', 'applied', 'rejected'],
    batch.text,
  )
  assert.equal((await ask('POST', `${DEALS}/${parent.id}/restorations`)).status, 201)
  assert.equal((await ask('PUT', `${DEALS}/${child.id}/set-fields`, { own })).status, 200)
  // While the field is retired, nothing is held.
  const lifeOf = (what: string): Promise<Answered> => ask('PUT', `/fields/${made.body.id}/${what}`)
  assert.equal((await lifeOf('retired')).status, 200)
  assert.equal((await remove()).status, 204)
  assert.equal((await lifeOf('restored')).status, 200)
  assert.deepEqual((await ask('GET', `${DEALS}/${child.id}`)).body.own, own)
  const { text } = await service.request('GET', `${DEALS}/${child.id}`, { headers: { accept: 'text/html' } })
  assert.match(text, new RegExp(`<dd>Deal ${parent.id}[ <]`))
  // It was set before.
  assert.equal((await ask('PUT', `${DEALS}/${child.id}/set-fields`, { own, reference: 'C-1' })).status, 200)
})

testOnEachStore('of a link and the deletion of what it names, one is refused, however many come at once', async () => {
  for (const [name, to] of [
    ['origin', 'deal'],
    ['payer', 'customer'],
  ]) {
    const made = await ask('POST', '/fields', { on: 'deal', name, title: name, kind: 'link', options: { to } })
    assert.equal(made.status, 201, made.text)
  }
  const named = await Promise.all(
    Array.from({ length: 40 }, async (_, nth) => {
      const path = nth % 2 === 0 ? DEALS : '/customers'
      const { id } = (await ask('POST', path, { name: `Named ${nth}`, ...(nth % 2 === 0 && { price: 1 }) })).body
      const child = await openDeal(service, { name: `Child ${nth}` })
      const own = nth % 2 === 0 ? { origin: id } : { payer: id }
      return { own, child: `${DEALS}/${child.id}/set-fields`, path: `${path}/${id}` }
    }),
  )
  const outcomes = await Promise.all(
    named.map(({ own, child, path }) => Promise.all([ask('PUT', child, { own }), ask('DELETE', path)])),
  )
  const kinds = outcomes.map(([set, removed]) => `${set.status} ${removed.status}`)
  for (const kind of kinds) assert.ok(['200 409', '422 204'].includes(kind), kinds.join())
})

testOnEachStore('no page leads to what a restored field names and is gone', async () => {
  const field = { on: 'deal', name: 'agent', title: 'Agent', kind: 'link', options: { to: 'customer' } }
  const made = await ask('POST', '/fields', field)
  const { id: agent } = (await ask('POST', '/customers', { name: 'Agent' })).body
  const { id } = (await ask('POST', DEALS, { name: 'Brokered', price: 1, own: { agent } })).body
  assert.equal((await ask('PUT', `/fields/${made.body.id}/retired`)).status, 200)
  assert.equal((await ask('DELETE', `/customers/${agent}`)).status, 204)
  assert.equal((await ask('PUT', `/fields/${made.body.id}/restored`)).status, 200)
  for (const [path, shown] of [
    [`${DEALS}/${id}`, `<dd>Customer ${agent} `],
    [`${DEALS}?fields=name,own.agent&name=Brokered`, `<td>#${agent}</td>`],
  ] as const) {
    const { text } = await service.request('GET', path, { headers: { accept: 'text/html' } })
    assert.ok(text.includes(shown), path)
    assert.ok(!text.includes(`href="/customers/${agent}"`), path)
  }
})

testOnEachStore('a row of a file keeps what its field names and is gone', async () => {
  const field = { on: 'customer', name: 'partner', title: 'Partner', kind: 'link', options: { to: 'customer' } }
  const made = await ask('POST', '/fields', field)
  const { id: partner } = (await ask('POST', '/customers', { name: 'Partner' })).body
  const { id } = (await ask('POST', '/customers', { name: 'Kept', own: { partner } })).body
  assert.equal((await ask('PUT', `/fields/${made.body.id}/retired`)).status, 200)
  assert.equal((await ask('DELETE', `/customers/${partner}`)).status, 204)
  assert.equal((await ask('PUT', `/fields/${made.body.id}/restored`)).status, 200)
  const file = Buffer.from(`id,name,own.partner\n${id},Renamed,${partner}\n,Other,${partner}\n`)
  const headers = { 'content-type': 'text/csv' }
  const address = String(
    (await service.request('POST', '/imports?on=customer', { headers, body: file })).headers.location,
  )
  let found = await ask('GET', address)
  while (found.body.isRunning === true) found = await ask('GET', address)
  assert.partialDeepStrictEqual(found.body.faults, [{ column: 'own.partner', code: 'not-found', rows: [3] }])
  assert.deepEqual([found.body.updated, found.body.rejected], [1, 1])
})

testOnEachStore('a purge empties the links to the tasks that it takes along, and live lists tell it', async () => {
  const fields: string[] = []
  for (const on of ['deal', 'customer', 'task']) {
    const field = { on, name: 'about', title: 'About', kind: 'link', options: { to: 'task' } }
    const made = await ask('POST', '/fields', field)
    assert.equal(made.status, 201, made.text)
    fields.push(`/fields/${made.body.id}`)
  }
  const gone = await openDeal(service, { name: 'Gone' })
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await ask('POST', path, body)
    assert.equal(answer.status, 201, answer.text)
    return `${path.replace(/\/$/, '')}/${answer.body.id}`
  }
  const tasks = '/rest/v1/tasks'
  const [first, last] = [
    await made(tasks, { title: 'First', dealId: gone.id }),
    await made(tasks, { title: 'Last', dealId: gone.id }),
  ]
  const idOf = (address: string): string => address.split('/').at(-1) ?? ''
  const own = { about: idOf(first) }
  // Tasks that go name each other, and so does the deal.
  for (const address of [last, `${DEALS}/${gone.id}`]) assert.equal((await ask('PATCH', address, { own })).status, 200)
  const holders = [
    await made(DEALS, { name: 'Archived', price: 1, own }),
    await made('/customers', { name: 'Ann', own }),
    await made(tasks, { title: 'Stays', own }),
  ]
  const [archived = ''] = holders
  for (const [operation, params] of [
    ['cancel', { reason: 'x' }],
    ['archive', {}],
  ] as const) {
    assert.equal((await ask('PUT', `${archived}/${operation}`, params)).status, 200)
  }
  for (const field of fields) assert.equal((await ask('PATCH', field, { required: true })).status, 200)
  assert.equal((await ask('DELETE', `${DEALS}/${gone.id}`)).status, 204)
  await service.database.settled()
  const before = await Promise.all(holders.map((address) => ask('GET', address)))
  const list = await openEventSource(`${service.url}${tasks}?fields=id`)
  const purge = async () => {
    const maintenance = await openMaintenance({ databaseUrl: service.database.url }, { mustExist: true })
    const soon = new Date(Date.now() + 60_000).toISOString()
    return await Array.fromAsync(maintenance.purge(soon, { dryRun: false }))
  }
  assert.ok((await purge()).some(({ ids }) => ids.includes(gone.id)))
  for (const [at, address] of holders.entries()) {
    const { body } = await ask('GET', address)
    const revision = Number(before[at]?.body.revision)
    assert.partialDeepStrictEqual(body, { own: { about: null }, revision: revision + 1 })
    const { items = [] } = (await ask('GET', `${address}/history?sort=-revision&maxpagesize=1`)).body
    assert.partialDeepStrictEqual(items, [{ revision: revision + 1, params: { own: { about: null } }, actor: null }])
    assert.partialDeepStrictEqual((await ask('GET', `${address}?revision=${revision}`)).body.own, {
      about: idOf(first),
    })
  }
  const feed = (await ask('GET', '/events?maxpagesize=1000')).body.items as readonly { readonly type: string }[]
  const told = feed.slice(-5).map(({ type }) => type)
  assert.deepEqual(told, ['deal.fields-set', 'customer.changed', 'task.changed', 'task.deleted', 'task.deleted'])
  await list.received(3)
  const changes = list.messages.map(({ type, data }) => [type, (JSON.parse(data) as { readonly id: string }).id])
  const leaving = [first, last].map((address) => ['leave', idOf(address)])
  assert.deepEqual(changes, [['change', idOf(holders[2] ?? '')], ...leaving])
  list.close()
  for (const address of [first, last]) {
    assert.equal((await ask('GET', address)).status, 404)
    const { items = [] } = (await ask('GET', `/events?task=${idOf(address)}`)).body
    assert.deepEqual(
      items.map((each) => (each as { readonly type: string }).type),
      ['task.deleted'],
    )
  }
  assert.deepEqual(
    (await purge()).filter(({ resource }) => resource !== 'field'),
    [],
    'nothing is left to do',
  )
})
