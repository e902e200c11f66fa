import assert from 'node:assert/strict'
import { buildSchema } from '../../../src/model/schema/build-schema.ts'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { basic, runClosedService } from '../../support/service/closed-service.ts'
import { closedWithTest } from '../../support/service/closed-with-test.ts'
import { quickHash } from '../../support/service/quick-hash.ts'
import { putUser } from '../../support/things/audited.ts'

/** Every text of what must not be seen has it, and nothing else. */
const SECRET = 'Xyzzyq'

const endpoints = endpointsOf(buildSchema())
const reading = endpoints.filter(({ method }) => method === 'GET')
const queried = new Set(endpoints.flatMap(({ method, path }) => (method === 'QUERY' ? [path] : [])))

/** Routes of which the texts of things are no part, or that only admins call: what is read there is not asked for. */
const beside = /^\/(sign-|invitations|set-up|calendar|style|app|\.well-known|docs|problems)/

/** What an address may ask beyond its path. */
const queries = [
  '',
  `?q=${SECRET}`,
  '?expand=customer',
  '?count=exact',
  '?format=csv',
  '?format=html',
  '?format=ndjson',
  '?asOf=2126-01-01T00:00:00Z',
  '?group=owner&measure=count',
  '?sort=-id',
]

/** The content of a QUERY. */
const contents = [{}, { q: SECRET }, { count: 'exact' }]

/** What each door reads of what must not be seen. */
const doors = (deal: string, customer: string): readonly (readonly [string, object?])[] => [
  ['/odata/Deals'],
  [`/odata/Deals(${deal})`],
  ['/odata/Customers'],
  ['/odata/Events'],
  ['/odata/Deals?$expand=Customer'],
  ['/jsonapi/deals'],
  [`/jsonapi/deals/${deal}`],
  ['/jsonapi/deals?include=customer'],
  ['/jsonapi/customers'],
  ['/postgrest/deals'],
  ['/postgrest/customers?select=name,deals(name)'],
  ['/graphql', { query: '{ deals(first: 10) { nodes { name customer { name } } } }' }],
  ['/graphql', { query: `{ deal(id: "${deal}") { name } }` }],
  ['/graphql', { query: `{ customer(id: "${customer}") { name deals { nodes { name } } } }` }],
  ['/rpc', { jsonrpc: '2.0', id: 1, method: 'deals.list', params: {} }],
  ['/rpc', { jsonrpc: '2.0', id: 1, method: 'deals.get', params: { id: deal } }],
]

testOnEachStore('nothing that a role does not see is in any answer of any address', async () => {
  const service = await runClosedService()
  closedWithTest(service.close)
  const ask = (who: string, method: string, path: string, body?: object) =>
    service.request(method, path, { headers: basic(who), ...(body && { body }) })
  await ask('admin', 'POST', '/roles', {
    name: 'seller',
    title: 'Seller',
    grants: ['deal', 'customer', 'task', 'target', 'view'].map((on) => ({
      on,
      may: ['read'],
      where:
        on === 'customer' ? 'country=CH' : on === 'task' ? 'assignee=me' : on === 'target' ? 'user=me' : 'owner=me',
    })),
  })
  await putUser(service.store, { name: 'anna', role: 'editor', hash: quickHash('password of anna') })
  await ask('admin', 'PATCH', '/users/anna', { role: 'seller' })
  const made = async (path: string, body: object): Promise<string> => {
    const { status, body: thing, text } = await ask('admin', 'POST', path, body)
    assert.equal(status, 201, text)
    return String(thing.id)
  }
  const customer = await made('/customers', { name: `${SECRET} Ltd`, email: 'x@example.com', country: 'DE' })
  const own = await made('/rest/v1/deals/', { name: 'Mine', owner: 'anna', price: 1, customerId: Number(customer) })
  const ids = {
    customer,
    deal: await made('/rest/v1/deals/', { name: `${SECRET} deal`, owner: 'editor', price: 777_123 }),
    task: await made('/rest/v1/tasks', { title: `${SECRET} call`, assignee: 'editor' }),
    target: await made('/targets', { user: 'editor', from: '2027-01-01', to: '2027-03-31', amount: 777_123 }),
    view: await made('/views', { name: `${SECRET} view`, collection: 'deals', query: `q=${SECRET}`, shared: true }),
  }
  await ask('admin', 'PUT', `/rest/v1/deals/${ids.deal}/commands/secret-1`, {
    action: 'hold',
    params: { reason: SECRET },
  })
  const leaks: string[] = []
  const silent: string[] = []
  let told = 0
  for (const { path } of reading.filter((each) => !beside.test(each.path))) {
    for (const id of path.includes(':') ? [...Object.values(ids), own] : ['']) {
      const address = path
        .replace(/:command\b/, 'secret-1')
        .replace(/:(n|number)\b/, '1')
        .replace(/:operation\b/, 'hold')
        .replace(/:(user|name|secret|file|view|field)\b/, 'admin')
        .replace(/:value\b/, SECRET)
        .replace(/:\w+/g, id)
        .replace(/\*$/, '')
      for (const query of queries) {
        const asked = await service.request('GET', address + query, { headers: basic('anna') })
        assert.ok(asked.status < 500, `${address}${query} ${asked.text}`)
        // What was asked for is told again, as the address of a link or in a field.
        const said = asked.text.replaceAll(new RegExp(`(q=|q%3D|value=")${SECRET}`, 'g'), '')
        const echoed = query.includes(SECRET) || address.includes(SECRET)
        const shows = echoed ? /Xyzzyq (Ltd|deal|call|view)/.test(said) : said.includes(SECRET)
        if (shows || said.includes('777123')) leaks.push(`${address}${query}`)
      }
      const head = await service.request('HEAD', address, { headers: basic('anna') })
      const read = await service.request('GET', address, { headers: basic('anna') })
      assert.equal(head.status, read.status, address)
      if (JSON.stringify(head.headers).includes(SECRET)) leaks.push(`HEAD ${address}`)
      for (const content of queried.has(path) ? contents : []) {
        const asked = await service.request('QUERY', address, { headers: basic('anna'), body: content })
        assert.ok(asked.status < 500, `QUERY ${address} ${asked.text}`)
        if (/Xyzzyq (Ltd|deal|call|view)|777123/.test(asked.text)) leaks.push(`QUERY ${address}`)
      }
      const known = await service.request('GET', address, { headers: basic('admin') })
      if (known.text.includes(SECRET)) told++
    }
  }
  for (const [path, body] of doors(ids.deal, customer)) {
    const asked = await service.request(body === undefined ? 'GET' : 'POST', path, {
      headers: basic('anna'),
      ...(body && { body }),
    })
    if (/Xyzzyq (Ltd|deal|call|view)|777123/.test(asked.text)) leaks.push(`${path} ${JSON.stringify(body)}`)
    const known = await service.request(body === undefined ? 'GET' : 'POST', path, {
      headers: basic('admin'),
      ...(body && { body }),
    })
    if (!/Xyzzyq (Ltd|deal|call|view)/.test(known.text))
      silent.push(path + JSON.stringify(body) + known.text.slice(0, 200))
  }
  assert.deepEqual(leaks, [])
  assert.deepEqual(silent, [])
  assert.ok(told > 20, `an admin finds it at ${told} addresses`)
})
