import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { EdmV4, OData } from '@odata/client'
import { readBatch } from '../../src/doors/odata/batch/batch-envelope.ts'
import { pascalCase } from '../../src/values/letter-case.ts'
import { resources } from '../support/schema.ts'
import { bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import type { Answered } from '../support/service/running-service.ts'
import { addPeople } from '../support/things/people.ts'

let service: ClosedService
let client: ReturnType<typeof OData.New4>

before(async () => {
  service = await runClosedService()
  await addPeople(service.store, 'client', 'lists')
  client = OData.New4({
    serviceEndpoint: `${service.url}/odata/`,
    commonHeaders: { ...bearer(service.keys.admin), prefer: 'odata.maxpagesize=2' },
  })
})
after(() => service.close())

interface Entity {
  readonly '@odata.etag': string
  readonly id: string
  readonly name: string
  readonly held: boolean
  readonly revision: number
  readonly [name: string]: unknown
}

/** Any answer of OData; a test that reads a member asserts on it. */
interface Told extends Entity {
  readonly value: readonly Entity[]
  readonly '@odata.context': string
  readonly '@odata.count': number
  readonly '@odata.nextLink'?: string
  readonly responses: readonly { id: string; status: number; headers: Record<string, string>; body: Told }[]
  readonly error: {
    readonly code: string
    readonly message: string
    readonly target?: string
    readonly details?: readonly { readonly target: string; readonly message: string }[]
    readonly innererror: { readonly [name: string]: unknown }
  }
}

type Asked = { readonly body?: unknown; readonly headers?: { readonly [name: string]: string } }

async function ask(method: string, path: string, { body, headers }: Asked = {}): Promise<Answered & { told: Told }> {
  const answer = await service.request(method, `/odata/${path.replaceAll(' ', '%20')}`, {
    body,
    headers: { ...bearer(service.keys.admin), ...headers },
  })
  return { ...answer, told: answer.body as unknown as Told }
}

const create = async (members: object): Promise<Told> => (await ask('POST', 'Deals', { body: members })).told
const names = ({ told }: { told: Told }): readonly string[] => told.value.map(({ name }) => name)
const idOf = (id: string) => EdmV4.Guid.from(id)

test('a client lists to the end, reads, creates, changes and is refused with the reason', async () => {
  const deals = client.getEntitySet<Entity>('Deals')
  const wanted = ['Alpha roof', 'Beta roof', 'Gamma roof', 'Delta shed']
  for (const name of wanted) await deals.create({ name, price: name.endsWith('roof') ? 100 : 1, owner: 'client' })
  const filter = client.newFilter().property('owner').eqString('client').property('price').ge(100)
  const seen: string[] = []
  for (let token: string | null | undefined; token !== null; ) {
    const params = client.newOptions().filter(filter).orderby('name', 'asc')
    if (token === undefined) params.top(3)
    else params.custom('$skiptoken', token)
    const page = await client.newRequest<Entity>({ collection: 'Deals', params })
    const { value = [], '@odata.nextLink': next } = page as unknown as Partial<Told>
    seen.push(...value.map(({ name }) => name))
    token = next === undefined ? null : new URL(next, service.url).searchParams.get('$skiptoken')
  }
  assert.deepEqual(seen, wanted.slice(0, 3))
  assert.equal(await deals.count(filter), 3)

  const made = await deals.create({ name: 'Bridge', price: 12.5 })
  assert.equal(made.price, 12.5)
  assert.equal((await deals.retrieve(idOf(made.id))).name, 'Bridge')
  assert.equal((await deals.retrieve(made.id)).name, 'Bridge')
  await deals.update(idOf(made.id), { name: 'Bridges' })
  const held = await deals.action('Dealdesk.Hold', idOf(made.id), { reason: 'credit check' })
  assert.partialDeepStrictEqual(held, { id: made.id, name: 'Bridges', held: true, revision: 3 })
  await assert.rejects(
    deals.action('Dealdesk.Complete', idOf(made.id), {}),
    /complete is not allowed: the deal is on hold/,
  )
  await assert.rejects(deals.create({ name: 'Bridge' }), /price is required/)
  await deals.delete(idOf(made.id))
  await assert.rejects(deals.retrieve(idOf(made.id)), /was deleted/)
})

test('a client sends a batch as JSON', async () => {
  const batch = await client.execBatchRequestsJson([
    client.newBatchRequest<Entity>({ collection: 'Customers', method: 'POST', entity: { name: 'Ana' } }),
    client.newBatchRequest<Entity>({ collection: 'Deals', params: client.newOptions().top(1) }),
  ])
  assert.deepEqual(
    batch.map(({ status }: { status: number }) => status),
    [201, 200],
  )
})

suite('lists', () => {
  let customer: Told
  before(async () => {
    customer = (await ask('POST', 'Customers', { body: { name: 'Ana Ruiz', country: 'ES', age: 40 } })).told
    for (const [at, name] of ['Page A', 'page B', 'Page C', 'Page D', 'Page E'].entries()) {
      await create({ name, price: at + 1, customerId: customer.id, owner: 'lists' })
    }
  })

  test('go on by their links to the end, whatever the size of a page', async () => {
    const seen: string[] = []
    const prefer = { headers: { prefer: 'odata.maxpagesize=2' } }
    let at: Awaited<ReturnType<typeof ask>> = await ask(
      'GET',
      "Deals?$filter=owner eq 'lists'&$orderby=price desc&$count=true&$skip=1",
      prefer,
    )
    assert.equal(at.headers['preference-applied'], 'odata.maxpagesize=2')
    for (;;) {
      assert.equal(at.told['@odata.count'], 5)
      seen.push(...names(at))
      const next = at.told['@odata.nextLink']
      if (next === undefined) break
      at = await ask('GET', next.replace('/odata/', ''))
    }
    assert.deepEqual(seen, ['Page D', 'Page C', 'page B', 'Page A'])
  })

  test('have a thousand entities on a page unless less is asked for', async () => {
    const commands = Array.from({ length: 1000 }, (_, at) => ({
      ...{ action: 'CreateCustomer', params: { name: `Many ${at}` } },
    }))
    const headers = bearer(service.keys.admin)
    await service.request('POST', '/rest/v1/batch', { headers, body: { atomic: true, commands } })
    const first = await ask('GET', 'Customers?$select=name')
    assert.equal(first.told.value.length, 1000)
    const second = await ask('GET', String(first.told['@odata.nextLink']).replace('/odata/', ''))
    const { text: count } = await ask('GET', 'Customers/$count')
    assert.equal(1000 + second.told.value.length, Number(count))
  })

  test('$top counts over all pages', async () => {
    const first = await ask('GET', "Deals?$filter=owner eq 'lists'&$top=3", { headers: { prefer: 'maxpagesize=2' } })
    assert.equal(first.told.value.length, 2)
    const second = await ask('GET', String(first.told['@odata.nextLink']).replace('/odata/', ''))
    assert.equal(second.told.value.length, 1)
    assert.equal(second.told['@odata.nextLink'], undefined)
    const none = await ask('GET', "Deals?$filter=owner eq 'lists'&$top=0&$count=true")
    assert.partialDeepStrictEqual(none.told, { '@odata.count': 5, value: [] })
    const bad = await ask('GET', 'Deals?$skiptoken=2.bogus')
    assert.equal(bad.told.error.target, '$skiptoken')
  })

  test('filter exactly, and fold where they are asked to', async () => {
    const found = async (filter: string) => names(await ask('GET', `Deals?$filter=${filter}&$orderby=price`))
    assert.deepEqual(await found("owner eq 'lists' and contains(name,'page')"), ['page B'])
    assert.equal((await found("owner eq 'lists' and contains(tolower(name),'page')")).length, 5)
    assert.deepEqual(await found("customer/country eq 'ES' and price ge 4"), ['Page D', 'Page E'])
    assert.equal((await ask('GET', "Deals/$count?$filter=owner eq 'lists'")).text, '5')
  })

  test('have null before every value, and so on from page to page', async () => {
    for (const age of [null, 7, null, 9]) await ask('POST', 'Customers', { body: { name: 'Nulls', age } })
    for (const [order, ages] of [
      ['age', [null, null, 7, 9]],
      ['age desc', [9, 7, null, null]],
    ] as const) {
      const seen: unknown[] = []
      for (let next: string | undefined = `Customers?$filter=name eq 'Nulls'&$orderby=${order}`; next; ) {
        const { told }: { told: Told } = await ask('GET', next, { headers: { prefer: 'odata.maxpagesize=1' } })
        seen.push(...told.value.map(({ age }) => age))
        next = told['@odata.nextLink']?.replace('/odata/', '')
      }
      assert.deepEqual(seen, ages)
    }
  })

  test('search for words, phrases and their combinations', async () => {
    const found = async (search: string) => names(await ask('GET', `Deals?$search=${search}&$orderby=price`))
    assert.deepEqual(await found('page ruiz "e c"'), ['Page C'])
    assert.deepEqual(await found('"page a" OR "page b"'), ['Page A', 'page B'])
    assert.deepEqual(await found('ruiz AND NOT ("page a" OR "page b" OR "page c")'), ['Page D', 'Page E'])
    for (const bad of ['AND', '(a', '"a', 'a OR', 'NOT']) {
      const { status, told } = await ask('GET', `Deals?$search=${bad}`)
      assert.equal(status, 400, bad)
      assert.equal(told.error.target, '$search')
    }
    assert.equal((await ask('GET', 'Events?$search=x')).status, 400)
  })

  test('show what is selected and expanded', async () => {
    const deal = await ask('GET', "Deals?$filter=name eq 'Page A'&$select=name&$expand=customer($select=name)")
    const [{ '@odata.etag': tag, ...shown } = { '@odata.etag': '' }] = deal.told.value
    assert.deepEqual(Object.keys(shown), ['name', 'customer'])
    assert.match(tag, /^"1-/)
    assert.equal(deal.told['@odata.context'], '/odata/$metadata#Deals(name,customer(name))')
    const { told } = await ask('GET', `Customers(${customer.id})?$expand=deals($select=name),tasks`)
    assert.equal((told.deals as unknown[]).length, 5)
    assert.deepEqual(told.tasks, [])
    assert.deepEqual(names(await ask('GET', `Customers(${customer.id})/deals?$filter=price gt 3`)), [
      'Page D',
      'Page E',
    ])
    assert.equal((await ask('GET', `Customers(${customer.id})/deals/$count`)).text, '5')
  })

  test('go on behind an expansion with what it selects', async () => {
    const { told: many } = await ask('POST', 'Customers', { body: { name: 'Many' } })
    const deals = Array.from({ length: 51 }, (_, at) => ({ name: `Deal ${at}`, price: 1, customerId: many.id }))
    const requests = deals.map((body, at) => ({ id: `${at}`, atomicityGroup: 'g', method: 'POST', url: 'Deals', body }))
    await ask('POST', '$batch', { body: { requests } })
    const { told } = await ask('GET', `Customers(${many.id})?$expand=deals($select=name,price)`)
    const shown = told.deals as readonly Entity[]
    assert.equal(shown.length, 50)
    const rest = await ask('GET', String(told['deals@odata.nextLink']).replace('/odata/', ''))
    assert.deepEqual(rest.told.value.map(Object.keys), [['@odata.etag', 'name', 'price']])
    assert.equal(new Set([...shown.map(({ name }) => name), ...names(rest)]).size, 51)
  })

  test('expand with options, at every level', async () => {
    const { told: one } = await ask('POST', 'Customers', { body: { name: 'Level (1), of "them"' } })
    const { told: other } = await ask('POST', 'Customers', { body: { name: 'Level 2' } })
    for (const price of [1, 2, 3, 4]) await create({ name: `L${price}`, price, customerId: one.id })
    const tall = await create({ name: 'L5', price: 5, customerId: other.id })
    await ask('POST', 'Tasks', { body: { title: "O'Brien; (or) so, call", dealId: tall.id } })
    const read = async (expand: string): Promise<readonly Told[]> => {
      const { told } = await ask('GET', `Customers?$filter=startswith(name,'Level')&$orderby=id&$expand=${expand}`)
      assert.equal(told.error, undefined, JSON.stringify(told.error))
      return told.value as unknown as readonly Told[]
    }
    const pricesIn = ({ deals }: Partial<Told> = {}) =>
      (deals as readonly { price: number }[]).map(({ price }) => price)
    const filtered = await read(
      'deals($filter=price gt 1 and price lt 5;$orderby=price desc;$select=price;$top=2;$count=true)',
    )
    assert.deepEqual(filtered.map(pricesIn), [[4, 3], []])
    assert.deepEqual(
      filtered.map((each) => each['deals@odata.count']),
      [3, 0],
    )
    assert.equal(filtered[0]?.['deals@odata.nextLink'], undefined, 'no more was asked for')
    assert.deepEqual((await read('deals($skip=1;$orderby=price)')).map(pricesIn), [[2, 3, 4], []])
    assert.deepEqual((await read('deals($top=0;$count=true)')).map(pricesIn), [[], []])
    const nested = await read("deals($expand=tasks($filter=title eq 'O''Brien; (or) so, call';$select=title),customer)")
    const [, { deals } = {}] = nested as readonly Partial<Told>[]
    const [deal] = deals as readonly { tasks: unknown[]; customer: { name: string } }[]
    assert.deepEqual([deal?.tasks.length, deal?.customer.name], [1, 'Level 2'])
    const { told } = await ask('GET', `Deals(${tall.id})?$expand=customer($select=name;$expand=deals($select=price))`)
    assert.equal(told['@odata.context'], '/odata/$metadata#Deals(customer(name,deals(price)))/$entity')
    const written = await ask('PATCH', `Deals(${tall.id})?$expand=customer($expand=deals)`, { body: { price: 6 } })
    assert.deepEqual(pricesIn(written.told.customer as Told), [6])
  })

  test('go on behind an expansion with options, as those say', async () => {
    const { told: many } = await ask('POST', 'Customers', { body: { name: 'Far' } })
    const deals = Array.from({ length: 60 }, (_, at) => ({ name: `F${at}`, price: at, customerId: many.id }))
    const requests = deals.map((body, at) => ({ id: `${at}`, atomicityGroup: 'g', method: 'POST', url: 'Deals', body }))
    await ask('POST', '$batch', { body: { requests } })
    const expand = 'deals($filter=price ge 2;$orderby=price;$skip=3;$top=54;$select=price)'
    const { told } = await ask('GET', `Customers(${many.id})?$expand=${expand}`)
    const rest = await ask('GET', String(told['deals@odata.nextLink']).replace('/odata/', ''))
    const prices = [...(told.deals as readonly Entity[]), ...rest.told.value].map(({ price }) => price)
    assert.deepEqual(
      prices,
      Array.from({ length: 54 }, (_, at) => at + 5),
    )
  })

  test('show related things with options for so many, and an answer of a bounded size', async () => {
    const { told: one } = await ask('POST', 'Customers', { body: { name: 'Wide' } })
    const description = 'x'.repeat(9000)
    const requests = Array.from({ length: 50 }, (_, at) => ({
      ...{ id: `${at}`, atomicityGroup: 'g', method: 'POST', url: 'Deals' },
      body: { name: `W${at}`, price: 1, description, customerId: one.id },
    }))
    await ask('POST', '$batch', { body: { requests } })
    const wide = `Customers(${one.id})?$expand=deals($expand=customer($expand=deals))`
    const refused = await ask('GET', wide)
    assert.deepEqual([refused.status, refused.told.error.code], [400, 'query-too-large'])
    const far = 'Customers?$orderby=id desc&$expand=deals($expand=tasks($top=1))'
    const many = await ask('GET', far)
    assert.match(many.told.error?.message ?? many.text.slice(0, 400), /at most 50 things at once/)
  })

  test('refuse what they do not know, with what was meant', async () => {
    for (const [query, target, message] of [
      ['$fitler=x', '$fitler', /did you mean \$filter/],
      ['$apply=aggregate(x)', '$apply', /not known/],
      ['$select=nam', '$select', /did you mean name/],
      ['$select=*,nam', '$select', /did you mean name/],
      ['$expand=custmer', '$expand', /did you mean customer/],
      ['$expand=customer($top=1)', '$expand', /names no option top/],
      ['$expand=customer($expand=deals($fliter=held))', '$expand', /did you mean filter/],
      ['$expand=customer($expand=deals($filter=hled))', '$expand', /did you mean held/],
      ['$expand=customer($expand=deals($orderby=nam))', '$expand', /did you mean name/],
      ['$expand=tasks($top=1;$top=2)', '$expand', /names \$top twice/],
      ['$expand=tasks($top=x)', '$expand', /integer/],
      ['$expand=customer($expand=deals($expand=customer($expand=deals($expand=customer))))', '$expand', /4 levels/],
      ['$expand=customer,customer($select=name)', '$expand', /names customer twice/],
      ['$filter=nam eq 1', '$filter', /did you mean name/],
      ['$orderby=nam', '$orderby', /did you mean name/],
      ['$top=x', '$top', /integer/],
      ['$count=maybe', '$count', /true or false/],
    ] as const) {
      const { status, told } = await ask('GET', `Deals?${query}`)
      assert.equal(status, 400, query)
      assert.equal(told.error.target, target)
      assert.match(told.error.details?.[0]?.message ?? '', message)
    }
    assert.equal((await ask('GET', 'Deals?filter=price ge 5&TOP=1')).status, 200)
  })
})

suite('one entity', () => {
  test('has properties, values and navigations', async () => {
    const { told: customer } = await ask('POST', 'Customers', { body: { name: 'Bo' } })
    const deal = await create({ name: 'Roof', price: 99.5, 'customer@odata.bind': `Customers(${customer.id})` })
    const at = `Deals(${deal.id})`
    assert.equal((await ask('GET', `${at}/price`)).told.value, 99.5)
    assert.equal((await ask('GET', `${at}/price/$value`)).text, '99.5')
    assert.equal((await ask('GET', `${at}/owner`)).status, 204)
    assert.equal((await ask('GET', `${at}/customer`)).told.name, 'Bo')
    assert.equal((await ask('GET', `${at}/Customer/name`)).told.value, 'Bo')
    assert.equal((await ask('GET', `Deals(id=${deal.id})`)).told.name, 'Roof')
    await ask('PATCH', at, { body: { 'customer@odata.bind': null } })
    assert.equal((await ask('GET', `${at}/customer`)).status, 204)
    assert.match((await ask('GET', `${at}/custmer`)).told.error.message, /did you mean customer/)
    const wrong = await ask('PATCH', at, { body: { 'customer@odata.bind': 'Tasks(1)' } })
    assert.equal(wrong.told.error.target, 'customer@odata.bind')
  })

  test('has alternate keys, under which it is made or changed', async () => {
    const by = "Deals(reference='O''D-1')"
    const made = await ask('PATCH', by, { body: { name: 'Kept', price: 7 } })
    assert.equal(made.status, 201)
    assert.equal(made.headers.location, `/odata/Deals(${made.told.id})`)
    assert.equal(made.told.reference, "O'D-1")
    const changed = await ask('PATCH', by, { body: { price: 8 } })
    assert.deepEqual([changed.status, changed.told.price, changed.told.name], [200, 8, 'Kept'])
    assert.equal((await ask('GET', `${by}/name/$value`)).text, 'Kept')
    const held = await ask('POST', `${by}/Dealdesk.Hold`, { body: { reason: 'x' } })
    assert.equal(held.told.held, true)
    assert.equal((await ask('PATCH', by, { body: { reference: 'other' } })).status, 422)
    const none = "Deals(reference='none')"
    assert.equal((await ask('PATCH', none, { body: { price: 1 } })).told.error.target, 'name')
    assert.equal(
      (await ask('PATCH', none, { body: { name: 'x', price: 1 }, headers: { 'if-match': '*' } })).status,
      404,
    )
    assert.equal((await ask('PATCH', by, { body: { price: 9 }, headers: { 'if-none-match': '*' } })).status, 412)
    const tried = await ask('PATCH', `${none}?dry-run=true`, { body: { name: 'x', price: 1 } })
    assert.deepEqual([tried.status, tried.told.id], [200, undefined])
    assert.equal((await ask('GET', none)).status, 404)
    for (const bad of ["Deals(refernce='x')", 'Deals(reference=x)', "Deals(name='x')", "Events(reference='x')"])
      assert.equal((await ask('GET', bad)).status, 400, bad)
    const bound = { name: 'x', price: 1, 'customer@odata.bind': "Customers(reference='x')" }
    assert.equal((await ask('POST', 'Deals', { body: bound })).status, 422)
    assert.equal((await ask('DELETE', by)).status, 204)
    assert.equal((await ask('PATCH', by, { body: { price: 1 } })).status, 410)
  })

  test('is bound by its own address, not by that of another service', async () => {
    const { told: customer } = await ask('POST', 'Customers', { body: { name: 'Bo' } })
    const bind = (root: string) =>
      ask('POST', 'Deals', {
        body: { name: 'Roof', price: 1, 'customer@odata.bind': `${root}Customers(${customer.id})` },
      })
    const { host } = new URL(service.url)
    for (const own of ['', '/odata/', `${service.url}/odata/`, `https://${host}/odata/`, `//${host}/behind/odata/`]) {
      const { status, told } = await bind(own)
      assert.deepEqual([status, told.customerId], [201, customer.id], own)
    }
    for (const other of ['http://other.example/x/odata/', '//other.example/odata/', `ftp://${host}/odata/`]) {
      const { status, told } = await bind(other)
      assert.deepEqual([status, told.error?.target], [422, 'customer@odata.bind'], other)
      const request = { id: '1', method: 'GET', url: `${other}Customers(${customer.id})` }
      const batch = await ask('POST', '$batch', { body: { requests: [request] } })
      assert.equal(batch.told.responses[0]?.status, 400, other)
    }
    const bound = { name: 'Roof', price: 1, 'customer@odata.bind': `${service.url}/odata/Customers(${customer.id})` }
    const request = { id: '1', method: 'POST', url: `${service.url}/odata/Deals`, body: bound }
    const batch = await ask('POST', '$batch', { body: { requests: [request] } })
    assert.equal(batch.told.responses[0]?.status, 201)
    const hosted = { id: '1', method: 'GET', url: '/odata/Deals', headers: { Host: 'other.example' } }
    const foreign = await ask('POST', '$batch', { body: { requests: [hosted] } })
    assert.equal(foreign.told.responses[0]?.status, 400)
  })

  test('has no tag behind a navigation, which may lead to another in the same state', async () => {
    const made = ['First', 'Second'].map((name) => ({ method: 'POST', url: 'Customers', body: { name } }))
    const requests = made.map((each, at) => ({ id: `c${at}`, atomicityGroup: 'g', ...each }))
    const { told } = await ask('POST', '$batch', { body: { requests } })
    const [first, second] = told.responses.map(({ body }) => body)
    const deal = await create({ name: 'Roof', price: 1, customerId: first?.id })
    const tag = String(first?.['@odata.etag'])
    await ask('PATCH', `Deals(${deal.id})`, { body: { customerId: second?.id } })
    for (const path of ['customer', 'customer/name']) {
      const read = await ask('GET', `Deals(${deal.id})/${path}`, { headers: { 'if-none-match': tag } })
      assert.equal(read.status, 200, path)
      assert.equal(read.headers.etag, undefined)
      assert.match(read.text, /Second/)
    }
    assert.equal((await ask('GET', `Customers(${first?.id})`, { headers: { 'if-none-match': tag } })).status, 304)
  })

  test('is found by a key that is written as its type says', async () => {
    const { id } = await create({ name: 'Roof', price: 1 })
    assert.equal((await ask('GET', `Deals('${id}')`)).told.id, id, 'clients take a UUID for a text')
    assert.equal((await ask('GET', "Customers('1')")).status, 400)
    assert.equal((await ask('GET', `Deals(${randomUUID()})`)).told.error.code, 'deal-not-found')
    const { told } = await ask('GET', 'Events?$top=1')
    const sequence = String(told.value[0]?.sequence)
    assert.equal((await ask('GET', `Events('${sequence}')`)).told.sequence, sequence)
    assert.equal((await ask('GET', `Events(${sequence})`)).status, 400)
    assert.equal((await ask('GET', "Events('nothing')")).status, 404)
  })

  test('shows a complex property as the object itself, and its members', async () => {
    await create({ name: 'Roof', price: 1 })
    const { told } = await ask('GET', 'Events?$top=1&$orderby=sequence desc')
    const { sequence, data } = told.value[0] as unknown as { sequence: string; data: { [name: string]: unknown } }
    const at = `Events('${sequence}')/data`
    const context = `/odata/$metadata#${at}`
    assert.deepEqual((await ask('GET', at)).told, { '@odata.context': context, ...data })
    assert.deepEqual((await ask('GET', `${at}?$format=application/json;odata.metadata=none`)).told, data)
    const operation = await ask('GET', `${at}/operation`)
    assert.deepEqual(operation.told, { '@odata.context': `${context}/operation`, value: data.operation })
    assert.equal((await ask('GET', `${at}/operation/$value`)).text, data.operation)
    assert.equal((await ask('GET', `${at}/commandId`)).status, 204)
    const wrong = await ask('GET', `${at}/operatoin`)
    assert.deepEqual(
      [wrong.status, wrong.told.error.message],
      [404, 'There is no "operatoin" of data, did you mean operation?'],
    )
    const deeper = await ask('GET', `Deals(${randomUUID()})/name/first`)
    assert.equal(deeper.told.error.message, 'There is nothing at "first" of "name".')
  })

  test('has its added fields as members of a complex property', async () => {
    const headers = bearer(service.keys.admin)
    const field = { on: 'deal', name: 'colours', title: 'Colours', kind: 'choices' }
    const values = ['red', 'blue'].map((value) => ({ value, title: value }))
    const made = await service.request('POST', '/fields', { body: { ...field, options: { values } }, headers })
    assert.equal(made.status, 201, made.text)
    const { id } = await create({ name: 'Roof', price: 1, own: { colours: ['red'] } })
    const at = `Deals(${id})/own/colours`
    assert.deepEqual((await ask('GET', at)).told, { '@odata.context': `/odata/$metadata#${at}`, value: ['red'] })
    assert.equal(
      (await ask('GET', `Deals(${id})/own/colors`)).told.error.message,
      'There is no "colors" of own, did you mean colours?',
    )
    const bare = await create({ name: 'Roof', price: 1 })
    const none = { '@odata.context': `/odata/$metadata#Deals(${bare.id})/own/colours`, value: [] }
    assert.deepEqual((await ask('GET', `Deals(${bare.id})/own/colours`)).told, none)
    // A collection is never null, wherever the thing is shown.
    for (const path of [`Deals(${bare.id})`, `Deals(${bare.id})?$select=own`]) {
      assert.deepEqual((await ask('GET', path)).told.own, { colours: [] }, path)
    }
    const listed = await ask('GET', `Deals?$filter=id eq ${bare.id}&$format=application/json;IEEE754Compatible=true`)
    assert.deepEqual(listed.told.value[0]?.own, { colours: [] })
    const sentBack = await service.request('PATCH', `/odata/Deals(${bare.id})`, {
      headers,
      body: { own: { colours: [] } },
    })
    assert.deepEqual([sentBack.status, sentBack.body.revision], [200, 1], sentBack.text)
    assert.equal((await service.request('PUT', `/fields/${made.body.id}/retire`, { headers })).status, 200)
  })

  test('is changed only as it was seen', async () => {
    const { id, '@odata.etag': tag } = await create({ name: 'Roof', price: 1 })
    const seen = { 'if-match': tag }
    const read = await ask('GET', `Deals(${id})`, { headers: { 'if-none-match': tag } })
    assert.equal(read.status, 304)
    const changed = await ask('PATCH', `Deals(${id})`, { body: { name: 'Roofs' }, headers: seen })
    assert.equal(changed.status, 200)
    assert.equal(changed.headers.etag, changed.told['@odata.etag'])
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'Roof' }],
      ['POST', '/Dealdesk.Hold', { reason: 'x' }],
      ['DELETE', '', undefined],
    ] as const) {
      const stale = await ask(method, `Deals(${id})${path}`, { body, headers: seen })
      assert.equal(stale.status, 412, method)
      assert.equal(stale.told.error.code, 'stale-revision')
      assert.equal(stale.headers.etag, changed.headers.etag)
    }
    assert.equal((await ask('DELETE', `Deals(${id})`, { headers: { 'if-match': '*' } })).status, 204)
    assert.equal((await ask('GET', `Deals(${id})`)).status, 410)
  })

  test('is shown as it would be by a dry run, without a tag', async () => {
    const body = { name: 'Tried', price: 1 }
    const made = await ask('POST', 'Deals?dry-run=true', { body })
    assert.deepEqual([made.status, made.headers['dry-run'], made.told.name], [200, 'true', 'Tried'])
    const { id: none, '@odata.etag': tag } = made.told
    assert.deepEqual(
      [none, tag, made.headers.etag, made.headers.location],
      [undefined, undefined, undefined, undefined],
    )
    const { id } = await create(body)
    const held = await ask('POST', `Deals(${id})/Dealdesk.Hold?dry-run=true`, { body: { reason: 'r' } })
    assert.deepEqual([held.told.held, held.told['@odata.etag'], held.headers.etag], [true, undefined, undefined])
    const changed = await ask('PATCH', `Deals(${id})?dry-run=true`, { body: { name: 'Other' } })
    assert.equal(changed.told.name, 'Other')
    assert.equal((await ask('DELETE', `Deals(${id})?dry-run=true`)).status, 204)
    assert.partialDeepStrictEqual((await ask('GET', `Deals(${id})`)).told, { name: 'Tried', held: false, revision: 1 })
    assert.equal((await ask('GET', `Deals(${id})?dry-run=true`)).status, 400)
  })

  test('is answered with as much as the client prefers', async () => {
    const minimal = { prefer: 'return=minimal' }
    const made = await ask('POST', 'Deals', { body: { name: 'Roof', price: 1 }, headers: minimal })
    assert.equal(made.status, 204)
    assert.equal(made.text, '')
    assert.equal(made.headers['preference-applied'], 'return=minimal')
    assert.equal(made.headers['odata-entityid'], made.headers.location)
    const at = String(made.headers.location).replace('/odata/', '')
    assert.equal((await ask('PATCH', at, { body: { name: 'Shed' }, headers: minimal })).status, 204)
    assert.equal((await ask('GET', at)).told.name, 'Shed')
  })

  test('is decided once under either header', async () => {
    const { id } = await create({ name: 'Roof', price: 100 })
    const key = `odata-${randomUUID()}`
    const sent = { 'repeatability-request-id': key, 'repeatability-first-sent': new Date().toUTCString() }
    const pay = (amount: number, headers: { readonly [name: string]: string }) =>
      ask('POST', `Deals(${id})/Dealdesk.RecordPayment`, { body: { amount }, headers })
    const first = await pay(10, sent)
    assert.equal(first.headers['repeatability-result'], 'accepted')
    const again = await pay(10, { 'idempotency-key': key })
    assert.deepEqual(again.told, first.told)
    assert.deepEqual([again.headers['idempotent-replayed'], again.headers.etag], ['true', undefined])
    assert.equal((await pay(11, sent)).told.error.code, 'command-id-reused')
    const other = await pay(11, { 'idempotency-key': key })
    assert.deepEqual([other.status, other.told.error.code], [422, 'idempotency-key-reused'])
    assert.equal((await pay(10, { 'repeatability-request-id': key })).told.error.target, 'Repeatability-First-Sent')
  })
})

suite('the protocol', () => {
  test('every answer says its version, and 4.01 only to those who take it', async () => {
    for (const path of ['', 'Deals?$top=1', '$metadata', 'Nothing']) {
      assert.equal((await ask('GET', path)).headers['odata-version'], '4.0')
      const later = await ask('GET', path, { headers: { 'odata-maxversion': '4.01' } })
      assert.equal(later.headers['odata-version'], '4.01')
      // The version of the request is that of its content, not of the answer.
      for (const version of ['4.01', '9']) {
        const sent = await ask('GET', path, { headers: { 'odata-version': version } })
        assert.equal(sent.headers['odata-version'], '4.0', `${version} at ${path}`)
      }
    }
    const model = await ask('GET', '$metadata', { headers: { 'odata-version': '4.01' } })
    assert.match(model.text, /<edmx:Edmx [^>]*Version="4\.0"/)
    assert.equal((await ask('GET', '', { headers: { 'odata-version': '3.0' } })).told.error.target, 'OData-Version')
    assert.equal((await ask('GET', '', { headers: { 'odata-maxversion': '3.0' } })).status, 400)
  })

  test('numbers are texts and control information is left out where that is asked for', async () => {
    const accept = 'application/json;odata.metadata=none;IEEE754Compatible=true'
    const made = await ask('POST', 'Deals', {
      body: { name: 'Roof', price: '999999999999.99' },
      headers: { accept, 'content-type': 'application/json;IEEE754Compatible=true' },
    })
    assert.equal(made.status, 201, made.text)
    assert.partialDeepStrictEqual(made.told, { price: '999999999999.99', revision: '1', held: false })
    assert.deepEqual(
      Object.keys(made.told).filter((name) => name.includes('@')),
      [],
    )
    assert.match(String(made.headers['content-type']), /odata\.metadata=none;IEEE754Compatible=true/)
    const xml = await ask('GET', 'Deals', { headers: { accept: 'application/atom+xml' } })
    assert.equal(xml.told.error.code, 'not-acceptable')
    for (const format of ['xml', 'jsonp', 'json-seq', 'application/jsonp']) {
      assert.equal((await ask('GET', `Deals?$format=${format}`)).status, 406, format)
    }
  })

  test('numbers that are texts are read and refused as numbers are', async () => {
    const type = 'application/json;IEEE754Compatible=true'
    const headers = { accept: type, 'content-type': type }
    const deal = await ask('POST', 'Deals', { body: { name: 'Roof', price: '1.0000' }, headers })
    assert.equal(deal.status, 201, deal.text)
    const customer = await ask('POST', 'Customers', { body: { name: 'Ana', age: 40 }, headers })
    for (const [path, { told }] of [
      ['Deals', deal],
      ['Customers', customer],
    ] as const) {
      for (const method of ['PATCH', 'PUT']) {
        const { told: seen } = await ask('GET', `${path}(${told.id})`, { headers })
        const back = await ask(method, `${path}(${told.id})`, { body: seen, headers })
        assert.equal(back.status, 200, back.text)
      }
    }
    for (const price of ['-1', '1000000000001', '1.00000000000000000001', '1e999']) {
      const asText = await ask('POST', 'Deals', { body: { name: 'Roof', price }, headers })
      const asNumber = await service.request('POST', '/odata/Deals', {
        body: `{"name":"Roof","price":${price}}`,
        headers: { ...bearer(service.keys.admin), 'content-type': 'application/json' },
      })
      assert.equal(asText.status, 422, price)
      assert.deepEqual(asText.told.error.details, (asNumber.body as unknown as Told).error.details)
    }
    const none = await ask('POST', 'Deals', { body: { name: 'Roof', price: '1,5' }, headers })
    assert.match(none.told.error.message, /must be a number/)
  })

  test('the model comes as XML or JSON, and entities have the properties that it says', async () => {
    const xml = await ask('GET', '$metadata')
    assert.match(String(xml.headers['content-type']), /^application\/xml/)
    for (const asked of [{ path: '$metadata?$format=json' }, { path: '$metadata', accept: 'application/json' }]) {
      const answer = await ask(
        'GET',
        asked.path,
        asked.accept === undefined ? {} : { headers: { accept: asked.accept } },
      )
      const model = answer.body as unknown as { $Version: string; Dealdesk: Record<string, Record<string, object>> }
      assert.equal(model.$Version, '4.0')
      const { told } = await ask('GET', 'Events?$top=1')
      const declared = Object.keys(model.Dealdesk.Event ?? {}).filter((name) => !name.startsWith('$'))
      assert.deepEqual(Object.keys(told.value[0] ?? {}).toSorted(), declared.toSorted())
    }
    assert.equal((await ask('GET', '$metadata', { headers: { accept: 'text/html' } })).status, 406)
    for (const format of ['yaml', 'application/jsonp', 'application/xmlish']) {
      assert.equal((await ask('GET', `$metadata?$format=${format}`)).status, 406, format)
    }
  })

  test('the service document names every resource, and methods fit addresses', async () => {
    const { told } = await ask('GET', '')
    const sets = [...resources.map(({ plural }) => pascalCase(plural)), 'Events']
    assert.deepEqual(names({ told }).toSorted(), sets.toSorted())
    for (const [method, path, allow] of [
      ['POST', 'Events', 'GET, HEAD, OPTIONS'],
      ['GET', '$batch', 'POST, OPTIONS'],
      ['PATCH', 'Deals', 'GET, HEAD, POST, OPTIONS'],
      ['GET', `Deals(${randomUUID()})/Dealdesk.Hold`, 'POST, OPTIONS'],
      ['POST', 'Customers(1)', 'GET, HEAD, PATCH, PUT, DELETE, OPTIONS'],
    ] as const) {
      const { status, headers, told: refused } = await ask(method, path, method === 'GET' ? {} : { body: {} })
      assert.equal(status, 405, path)
      assert.equal(headers.allow, allow)
      assert.equal(refused.error.code, 'method-not-allowed')
    }
    assert.match((await ask('GET', 'Dels')).told.error.message, /did you mean Deals/)
    assert.match((await ask('POST', 'Deals(1)/Dealdesk.Hodl')).told.error.message, /did you mean Dealdesk.Hold/)
  })

  test('odd requests are refused and are no defects', async () => {
    const headers = { 'content-type': 'application/json;IEEE754Compatible=true' }
    const odd = { constructor: '1', name: 5, price: '1.5', '@odata.type': 'x' }
    assert.equal((await ask('POST', 'Deals', { body: odd, headers })).status, 422)
    for (const path of ['Deals()', 'Deals(%00)', 'Customers(1)/__proto__', "Events('a,b')", 'Deals/$count/$count']) {
      assert.equal((await ask('GET', path)).status, 404, path)
    }
    for (const query of ['$expand=', '$expand=customer(', '$select=', '$search=%00', '%24orderby=', '$skip=-1']) {
      assert.equal((await ask('GET', `Deals?${query}`)).status, 400, query)
    }
    assert.equal((await ask('GET', `Deals?$search=${'('.repeat(12)}a${')'.repeat(12)}`)).status, 400)
    assert.equal((await ask('GET', 'Deals?$skip=999999999999999&$top=999999999999999')).status, 200)
  })

  test('roles are those of the operations', async () => {
    const reader = bearer(service.keys.reader)
    assert.equal((await ask('GET', 'Deals?$top=1', { headers: reader })).status, 200)
    const refused = await ask('POST', 'Deals', { body: { name: 'x', price: 1 }, headers: reader })
    assert.equal(refused.status, 403)
    assert.equal(refused.told.error.code, 'forbidden')
    const group = { method: 'POST', url: 'Customers', body: { name: 'x' }, atomicityGroup: 'g' }
    const batch = await ask('POST', '$batch', { body: { requests: [{ id: '1', ...group }] }, headers: reader })
    assert.equal(batch.told.responses[0]?.status, 403)
    const nobody = await service.request('GET', '/odata/Deals')
    assert.equal(nobody.status, 401)
    assert.equal((nobody.body as unknown as Told).error.code, 'unauthorized')
  })
})

suite('$batch', () => {
  const send = (requests: readonly object[], headers = {}) => ask('POST', '$batch', { body: { requests }, headers })
  const statuses = ({ told }: { told: Told }) => told.responses.map(({ status }) => status)

  test('a group takes effect together, and names what it makes', async () => {
    const answered = await send([
      { id: 'c', atomicityGroup: 'g', method: 'post', url: 'Customers', body: { name: 'Group' } },
      {
        ...{ id: 'd', atomicityGroup: 'g', method: 'post', url: '/odata/Deals' },
        body: { name: 'Shed', price: 5, 'customer@odata.bind': '$c' },
      },
      { id: 'h', atomicityGroup: 'g', method: 'post', url: '$d/Dealdesk.Hold', body: { reason: 'x' } },
      { id: 'r', method: 'get', url: '$d?$expand=customer', dependsOn: ['g'] },
    ])
    assert.deepEqual(statuses(answered), [201, 201, 200, 200])
    const read = answered.told.responses[3]?.body
    assert.partialDeepStrictEqual(read, { name: 'Shed', held: true, customer: { name: 'Group' } })
  })

  test('a group with a refusal does nothing, and what depends on it is not tried', async () => {
    const { text } = await ask('GET', 'Customers/$count')
    const requests = [
      { id: '1', atomicityGroup: 'g', method: 'post', url: 'Customers', body: { name: 'Never' } },
      { id: '2', atomicityGroup: 'g', method: 'post', url: 'Deals', body: { name: 'Never' } },
      { id: '3', method: 'get', url: 'Deals/$count', dependsOn: ['g'] },
      { id: '4', method: 'get', url: 'Customers/$count' },
    ]
    const stopped = await send(requests)
    assert.deepEqual(statuses(stopped), [424, 422, 424, 424])
    assert.equal(stopped.told.responses[1]?.body.error.target, 'price')
    const going = await send(requests, { prefer: 'odata.continue-on-error' })
    assert.deepEqual(statuses(going), [424, 422, 424, 200])
    assert.equal(String(going.told.responses[3]?.body), text)
  })

  test('a group is tried as a whole or not at all', async () => {
    const { text: before } = await ask('GET', 'Customers/$count')
    const group = (dry: readonly [string, string]) =>
      send([
        { id: '1', atomicityGroup: 'g', method: 'post', url: `Customers${dry[0]}`, body: { name: 'Tried' } },
        ...[{ id: '2', atomicityGroup: 'g', method: 'post', url: `Deals${dry[1]}` }].map((each) => ({
          ...each,
          body: { name: 'Tried', price: 1, 'customer@odata.bind': '$1' },
        })),
      ])
    const tried = await group(['?dry-run=true', '?dry-run=true'])
    assert.deepEqual(statuses(tried), [200, 200])
    const { id, customerId } = (tried.told.responses[1]?.body ?? {}) as Partial<Told>
    assert.deepEqual([id, customerId], [undefined, undefined], 'what does not exist has no id')
    const refused = await send([
      { id: '1', atomicityGroup: 'g', method: 'post', url: 'Deals?dry-run=true', body: { name: 'Tried', price: 1 } },
      { id: '2', atomicityGroup: 'g', method: 'post', url: '$1/Dealdesk.Archive?dry-run=true' },
    ])
    assert.deepEqual(statuses(refused), [200, 409])
    const { deal } = refused.told.responses[1]?.body?.error.innererror ?? {}
    assert.deepEqual(['revision' in (deal as object), 'id' in (deal as object)], [true, false], 'nor in a refusal')
    assert.deepEqual(statuses(await group(['?dry-run=true', ''])), [400, 400])
    assert.equal((await ask('GET', 'Customers/$count')).text, before)
  })

  test('requests are done one after the other, each with its own headers', async () => {
    const { id, '@odata.etag': tag } = await create({ name: 'Roof', price: 1 })
    const url = `${service.url}/odata/Deals(${id})`
    const answered = await send([
      { id: '1', method: 'PATCH', url, headers: { 'If-Match': tag, Prefer: 'return=minimal' }, body: { name: 'Shed' } },
      { id: '2', method: 'GET', url: `${url}?$select=name` },
      { id: '3', method: 'PATCH', url, headers: { 'If-Match': tag }, body: { name: 'Barn' } },
    ])
    assert.deepEqual(statuses(answered), [204, 200, 412])
    const [made, , stale] = answered.told.responses
    assert.equal(stale?.headers?.etag, made?.headers?.etag)
    const grouped = { id: '1', atomicityGroup: 'g', method: 'PATCH', url, headers: { 'If-Match': tag }, body: {} }
    assert.equal((await send([grouped])).told.responses[0]?.headers?.etag, made?.headers?.etag)
    assert.equal(answered.told.responses[1]?.body.name, 'Shed')
  })

  test('under a key it is done once', async () => {
    const headers = { 'idempotency-key': `batch-${randomUUID()}` }
    const requests = [{ id: '1', method: 'POST', url: 'Deals', body: { name: 'Once', price: 1 } }]
    const first = await send(requests, headers)
    const again = await send(requests, headers)
    assert.equal(again.told.responses[0]?.body.id, first.told.responses[0]?.body.id)
  })

  test('a batch that cannot be read is refused as a whole, with every fault', async () => {
    const bad = await send([
      { id: '1', method: 'GET', url: 'Deals' },
      { id: '1', method: 'BREW', url: 7, headers: null, dependsOn: ['9'], zzz: 1 },
    ])
    assert.equal(bad.status, 422)
    assert.deepEqual(bad.told.error.details?.map(({ target }) => target).toSorted(), [
      'requests/1/dependsOn',
      'requests/1/headers',
      'requests/1/id',
      'requests/1/method',
      'requests/1/url',
      'requests/1/zzz',
    ])
    const twice = await send([
      { id: '1', method: 'GET', url: 'Deals', headers: { 'If-Match': '*', 'if-match': '"x"' } },
    ])
    assert.match(twice.told.error.message, /^headers names if-match twice$/)
    const inner = await send([{ id: '1', method: 'POST', url: '$batch', body: {} }])
    assert.deepEqual(statuses(inner), [400])
    const unknown = await send([{ id: '1', method: 'GET', url: '$9/name' }])
    assert.match(unknown.told.responses[0]?.body.error.message ?? '', /\$9 names no entity/)
    const other = await ask('POST', '$batch', { body: 'x', headers: { 'content-type': 'text/plain' } })
    assert.equal(other.status, 415)
  })
})

test('a request of a batch may have any number of headers, each once', () => {
  const headers = Object.fromEntries(Array.from({ length: 400_000 }, (_, n) => [`h${n}`, '']))
  const one = { id: '1', method: 'GET', url: 'Deals' }
  // Compared with each other they would take longer than the whole suite.
  assert.ok('parts' in readBatch({ requests: [{ ...one, headers }] }))
  const read = readBatch({ requests: [{ ...one, headers: { ...headers, H3: '' } }] })
  assert.ok('problem' in read)
  assert.match(JSON.stringify(read.problem), /"repeated"/)
})
