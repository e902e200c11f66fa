import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import Kitsu from 'kitsu'
import {
  checkDocument,
  type JsonApiDocument,
  type JsonApiError,
  type JsonApiResource,
} from '../support/doors/jsonapi-documents.ts'
import { resources } from '../support/schema.ts'
import { type Answered, type Asking, runService, type TestService } from '../support/service/running-service.ts'

const TYPE = 'application/vnd.api+json'
const ATOMIC = `${TYPE}; ext="https://jsonapi.org/ext/atomic"`

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

interface JsonApiAnswer extends Answered {
  readonly document: JsonApiDocument
}

/** Asks, and checks the structure of whatever comes back. */
async function ask(method: string, path: string, { headers, body }: Asking = {}): Promise<JsonApiAnswer> {
  const type = body === undefined ? {} : { 'content-type': TYPE }
  const answer = await service.request(method, path, { headers: { ...type, ...headers }, body })
  if (answer.text === '') return { ...answer, document: undefined as unknown as JsonApiDocument }
  assert.ok(String(answer.headers['content-type']).startsWith(TYPE), answer.text)
  return { ...answer, document: checkDocument(JSON.parse(answer.text)) }
}

const done = async (method: string, path: string, asking: Asking = {}): Promise<JsonApiAnswer> => {
  const answer = await ask(method, path, asking)
  assert.ok(answer.status < 300, answer.text)
  return answer
}

async function refused(
  status: number,
  method: string,
  path: string,
  asking: Asking = {},
): Promise<JsonApiError & { readonly headers: Answered['headers']; readonly all: readonly JsonApiError[] }> {
  const answer = await ask(method, path, asking)
  assert.equal(answer.status, status, answer.text)
  const { errors } = answer.document
  const [error] = errors
  assert.ok(error)
  assert.match(error.id, /^urn:dealdesk:request:/)
  assert.ok(error.links.about?.endsWith(`/problems/${error.code}`))
  return { ...error, headers: answer.headers, all: errors }
}

async function make(type: string, attributes: object, relationships?: object) {
  const body = { data: { type, attributes, ...(relationships && { relationships }) } }
  return (await done('POST', `/jsonapi/${type}`, { body })).document.data
}

const ofCustomer = (id: string) => ({ customer: { data: { type: 'customers', id } } })

suite('kitsu', () => {
  let api: Kitsu
  let customer: string
  before(async () => {
    api = new Kitsu({
      baseURL: `${service.url}/jsonapi`,
      pluralize: false,
      camelCaseTypes: false,
      resourceCase: 'none',
    })
    api.interceptors.response.use(
      (response) => {
        if (response.status !== 204) checkDocument(JSON.parse(JSON.stringify(response.data)))
        return response
      },
      (error) => {
        checkDocument(JSON.parse(JSON.stringify(error.response.data)))
        return Promise.reject(error)
      },
    )
    customer = (await make('customers', { name: 'Kitsu Ltd' })).id
    for (let n = 1; n <= 7; n++) await make('deals', { name: `Kit ${n}`, price: n * 10 }, ofCustomer(customer))
  })

  const refusal = (asked: Promise<unknown>): Promise<JsonApiError> =>
    asked.then(
      () => assert.fail('it was not refused'),
      (error: { readonly errors: readonly JsonApiError[] }) => error.errors[0] as JsonApiError,
    )

  test('pages by limit and offset, as its guide has it', async () => {
    const params = { filter: { customer }, sort: 'price', page: { limit: 2, offset: 3 } }
    const { data, links } = await api.get('deals', { params })
    assert.deepEqual(
      data.map(({ name }: { readonly name: string }) => name),
      ['Kit 4', 'Kit 5'],
    )
    const next = await api.request({ url: new URL(links.next, service.url).href, type: 'deals' })
    assert.equal(next.data[0].name, 'Kit 6')
  })

  test('lists deals with a filter, page after page to the end', async () => {
    const names: string[] = []
    const params = { filter: { customer, price: { gte: 20 } }, sort: '-price', page: { size: 2 } }
    let page = await api.get('deals', { params })
    for (;;) {
      names.push(...page.data.map(({ name }: { readonly name: string }) => name))
      const { next } = page.links
      if (next === undefined) break
      page = await api.request({ url: new URL(next, service.url).href, type: 'deals' })
    }
    assert.deepEqual(
      names,
      [7, 6, 5, 4, 3, 2].map((n) => `Kit ${n}`),
    )
  })

  test('reads a deal with its customer, and a customer with its deals', async () => {
    const { data: all } = await api.get('deals', { params: { filter: { customer }, include: 'customer' } })
    assert.equal(all[0].customer.data.name, 'Kitsu Ltd')
    const { data: one } = await api.get(`customers/${customer}`, { params: { include: 'deals' } })
    assert.equal(one.deals.data.length, all.length)
  })

  test('creates a deal, changes it, is refused with a stale revision, asks for operations, and deletes it', async () => {
    const made = await api.create('deals', {
      name: 'Forty kettles',
      price: 800,
      customer: { data: { id: customer, type: 'customers' } },
    })
    const { id } = made.data
    assert.equal(made.status, 201)
    assert.equal(made.data.meta.revision, 1)
    const changed = await api.update('deals', { id, name: 'Fifty kettles', price: 900, meta: { revision: 1 } })
    assert.equal(changed.data.name, 'Fifty kettles')
    assert.equal(changed.data.meta.revision, 3, 'two operations')
    const stale = await refusal(
      api.update('deals', { id, name: 'Sixty kettles' }, { headers: { 'If-Match': made.headers.etag } }),
    )
    assert.equal(stale.code, 'stale-revision')
    assert.deepEqual(stale.source, { header: 'If-Match' })
    assert.equal(
      (await refusal(api.update('deals', { id, name: 'Sixty', meta: { revision: 1 } }))).code,
      'stale-revision',
    )

    const held = await api.create(`deals/${id}/hold`, { reason: 'credit check' })
    assert.equal(held.status, 200)
    assert.equal(held.data.holdReason, 'credit check')
    const why = await refusal(api.create(`deals/${id}/complete`, {}))
    assert.equal(why.status, '409')
    assert.equal(why.code, 'wrong-state')
    assert.match(why.detail, /on hold/)
    assert.ok(String(why.meta?.allowed).includes('unhold'))
    const missing = await refusal(api.create(`deals/${id}/cancel`, { amercement: 5 }))
    assert.equal(missing.detail, 'reason is required')
    assert.deepEqual(missing.source, { pointer: '/data/attributes' })

    assert.equal((await api.remove('deals', id)).status, 204)
    assert.equal((await refusal(api.get(`deals/${id}`))).code, 'deal-deleted')
    assert.equal((await api.create(`deals/${id}/restore`, {})).data.id, id)
  })
})

suite('a document', () => {
  let customer: string
  let deals: readonly string[]
  before(async () => {
    customer = (await make('customers', { name: 'Compound Inc', country: 'DE' })).id
    const made = [1, 2, 3].map((n) => make('deals', { name: `Part ${n}`, price: n }, ofCustomer(customer)))
    deals = (await Promise.all(made)).map(({ id }) => id)
    await make('tasks', { title: 'Call them' }, { deal: { data: { type: 'deals', id: deals[0] } } })
  })

  test('has every related resource once', async () => {
    const listed = await done('GET', `/jsonapi/deals?filter[customer]=${customer}&include=customer`)
    assert.equal(listed.document.data.length, 3)
    assert.deepEqual(
      listed.document.included.map(({ type, id }) => [type, id]),
      [['customers', customer]],
    )
    const nested = await done('GET', `/jsonapi/tasks?include=deal.customer&filter[title]=Call%20them`)
    assert.deepEqual(nested.document.included.map(({ type }) => type).toSorted(), ['customers', 'deals'])
    const back = await done('GET', `/jsonapi/customers/${customer}?include=deals.customer`)
    assert.equal(back.document.included.length, 3, 'the primary data is not included')
    const none = await done('GET', `/jsonapi/customers/${customer}?include=tasks`)
    assert.deepEqual(none.document.included, [])
    assert.deepEqual(none.document.data.relationships.tasks?.data, [])
  })

  test('is filtered by, and a fault names the relationship', async () => {
    for (const name of ['filter[customer]', 'filter[customer][in]', 'filter[customerId]']) {
      const { source, detail } = await refused(400, 'GET', `/jsonapi/deals?${name}=x`)
      assert.deepEqual([source, detail], [{ parameter: name }, `${name} must be an integer such as 18`])
    }
  })

  test('shows the fields that were asked for', async () => {
    const address = `/jsonapi/deals/${deals[0]}?include=customer&fields[deals]=name,customer&fields[customers]=`
    const { data, included } = (await done('GET', address)).document
    assert.deepEqual(Object.keys(data.attributes), ['name'])
    assert.deepEqual(Object.keys(data.relationships), ['customer'])
    assert.equal(included[0]?.attributes, undefined)
    assert.equal(included[0]?.relationships, undefined)
    const bad = await refused(400, 'GET', '/jsonapi/deals?fields[deals]=nam')
    assert.deepEqual(bad.source, { parameter: 'fields[deals]' })
    assert.match(bad.detail, /did you mean name\?/)
  })

  test('has links that lead somewhere', async () => {
    const { data } = (await done('GET', `/jsonapi/deals/${deals[0]}`)).document
    assert.equal((await done('GET', data.links.self)).document.data.id, data.id)
    for (const { links } of Object.values(data.relationships)) {
      for (const href of Object.values(links)) assert.equal((await ask('GET', href)).status, 200, href)
    }
    const related = await done('GET', String(data.relationships.customer?.links.related))
    assert.equal(related.document.data.attributes.name, 'Compound Inc')
    const linkage = await done('GET', String(data.relationships.customer?.links.self))
    assert.deepEqual(linkage.document.data, { type: 'customers', id: customer })
    const many = await done('GET', `/jsonapi/customers/${customer}/deals?filter[price][gt]=1&sort=-price`)
    assert.deepEqual(
      many.document.data.map(({ attributes }) => attributes.price),
      [3, 2],
    )
    const identifiers = await done('GET', `/jsonapi/customers/${customer}/relationships/deals?page[size]=2`)
    assert.equal(identifiers.document.data.length, 2)
    assert.equal((await done('GET', String(identifiers.document.links.next))).document.data.length, 1)
  })

  test('leads to the pages before and behind it, and counts if asked to', async () => {
    const address = `/jsonapi/deals?filter[customer.country]=DE&sort=price&page[size]=2&count=exact`
    const { document: first } = await done('GET', address)
    assert.deepEqual(first.meta, { total: 3 })
    assert.equal(first.links.prev, undefined)
    const { document: second } = await done('GET', String(first.links.next))
    assert.equal(second.data.length, 1)
    assert.equal(second.links.next, undefined)
    const { document: again } = await done('GET', String(second.links.prev))
    assert.deepEqual(again.data, first.data)
    const { document: numbered } = await done('GET', `${address}&page[number]=2`)
    assert.deepEqual(numbered.data, second.data)
    assert.equal((await done('GET', '/jsonapi/deals')).document.meta, undefined)
  })

  test('is there for every resource, and a first one says where', async () => {
    const { meta } = (await done('GET', '/jsonapi')).document
    for (const { plural } of resources) {
      const address = (meta.resources as Record<string, string>)[plural]
      assert.equal((await done('GET', String(address))).status, 200)
    }
  })

  test('keeps every digit of an amount', async () => {
    const deal = await make('deals', { name: 'Digits', price: 1e12, currency: 'KWD' })
    for (let n = 0; n < 8; n++) {
      await done('POST', `/jsonapi/deals/${deal.id}/record-payment`, {
        body: { data: { attributes: { amount: 1e12 } } },
      })
    }
    const body = { data: { attributes: { amount: 999_999_999_999.999 } } }
    const paid = await done('POST', `/jsonapi/deals/${deal.id}/record-payment`, { body })
    assert.match(paid.text, /"paid":8999999999999\.999[,}]/)
  })
})

suite('a relationship', () => {
  test('to one is changed at its own address or with its resource, and emptied', async () => {
    const { id: customer } = await make('customers', { name: 'Related GmbH' })
    const { id } = await make('deals', { name: 'Relating', price: 1 })
    const self = `/jsonapi/deals/${id}/relationships/customer`
    const linked = await done('PATCH', self, { body: { data: { type: 'customers', id: customer } } })
    assert.deepEqual(linked.document.data, { type: 'customers', id: customer })
    assert.equal((await done('GET', `/jsonapi/deals/${id}/customer`)).document.data.id, customer)
    await done('PATCH', self, { body: { data: null }, headers: { 'if-match': String(linked.headers.etag) } })
    assert.equal((await done('GET', `/jsonapi/deals/${id}/customer`)).document.data, null)
    const body = { data: { type: 'deals', id, attributes: { name: 'Related' }, relationships: ofCustomer(customer) } }
    const { data } = (await done('PATCH', `/jsonapi/deals/${id}?include=customer`, { body })).document
    assert.equal(data.relationships.customer?.data?.id, customer)
    assert.equal(data.meta.revision, 5)
  })

  test('to something that does not exist is 404', async () => {
    const { id } = await make('deals', { name: 'Lost', price: 1 })
    const body = { data: { type: 'deals', id, relationships: ofCustomer('999999999') } }
    const error = await refused(404, 'PATCH', `/jsonapi/deals/${id}`, { body })
    assert.equal(error.code, 'customer-not-found')
    assert.deepEqual(error.source, { pointer: '/data/relationships/customer' })
    const whole = { data: { type: 'deals', attributes: { price: 1 }, relationships: ofCustomer('999999999') } }
    assert.equal((await refused(422, 'POST', '/jsonapi/deals', { body: whole })).all.length, 2)
  })

  test('to many is added to, taken from and replaced, all or nothing', async () => {
    const { id } = await make('customers', { name: 'Many SA' })
    const deals = [1, 2, 3].map((price) => make('deals', { name: `M${price}`, price }))
    const [one, two, three] = (await Promise.all(deals)).map((deal) => ({ type: 'deals', id: deal.id }))
    const at = `/jsonapi/customers/${id}/relationships/deals`
    const linked = async (): Promise<ReadonlySet<string>> =>
      new Set(((await done('GET', at)).document.data as unknown as readonly { id: string }[]).map((each) => each.id))
    const send = async (method: string, data: readonly unknown[], more: object = {}) =>
      assert.equal((await done(method, at, { body: { data, ...more } })).status, 204)
    await send('POST', [one, two])
    await send('POST', [two])
    assert.deepEqual(await linked(), new Set([one?.id, two?.id]))
    await send('DELETE', [one, three])
    assert.deepEqual(await linked(), new Set([two?.id]))
    await send('PATCH', [three], { meta: { dryRun: true } })
    assert.deepEqual(await linked(), new Set([two?.id]))
    for (let times = 0; times < 2; times++) await send('PATCH', [one, three], { meta: { commandId: `link-${id}` } })
    assert.deepEqual(await linked(), new Set([one?.id, three?.id]))
    const history = await service.request('GET', `/rest/v1/deals/${one?.id}/history`)
    const [latest] = history.body.items as readonly { readonly form: string }[]
    assert.equal(latest?.form, 'jsonapi')

    const nobody = { type: 'deals', id: randomUUID() }
    const none = await refused(404, 'POST', at, { body: { data: [two, nobody] } })
    assert.deepEqual([none.code, await linked()], ['deal-not-found', new Set([one?.id, three?.id])])
    for (const [data, pointer] of [
      [one, '/data'],
      [[{ ...one, type: 'tasks' }], '/data/0/type'],
      [[one, null], '/data/1'],
      [[{ ...one, dryRun: true }], '/data/0/dryRun'],
    ] as const)
      assert.equal((await refused(422, 'PATCH', at, { body: { data } })).source?.pointer, pointer)
    await refused(422, 'PATCH', at, { body: { data: [], meta: { expectedRevision: 1 } } })
    await refused(400, 'PATCH', at, { body: { data: [] }, headers: { 'if-match': '"x"' } })
    await refused(404, 'POST', '/jsonapi/customers/999999/relationships/deals', { body: { data: [] } })
    await refused(400, 'POST', `${at}?include=deals`, { body: { data: [] } })
    await refused(405, 'POST', `/jsonapi/deals/${one?.id}/relationships/customer`, { body: { data: [] } })
  })

  test('to many in a whole resource may only stay as it is', async () => {
    const { id } = await make('customers', { name: 'Whole SA' })
    const data = [{ type: 'deals', id: randomUUID() }]
    const body = { data: { type: 'customers', id, relationships: { deals: { data } } } }
    await refused(403, 'PATCH', `/jsonapi/customers/${id}`, { body })
  })
})

suite('what was read is sent back', () => {
  test('as clients flatten it: relationships without data, links and meta among the attributes', async () => {
    const { id } = await make('customers', { name: 'Flat SA' })
    await make('deals', { name: 'Of Flat', price: 1 }, { customer: { data: { type: 'customers', id } } })
    const at = `/jsonapi/customers/${id}`
    const { data } = (await done('GET', at)).document
    const { type, attributes, relationships, links, meta } = data as unknown as { [name: string]: object }
    const flat = { ...attributes, ...relationships, links, meta }
    const { document } = await done('PATCH', at, { body: { data: { type, id, attributes: flat } } })
    assert.equal((document.data.meta as { revision?: number }).revision, 1, 'nothing changed')
    const patch = (sent: object) => ({ body: { data: { type, id, attributes: sent } } })
    await refused(422, 'PATCH', at, patch({ ...flat, createdAt: '2020-01-01T00:00:00.000Z' }))
    await refused(412, 'PATCH', at, patch({ ...flat, meta: { revision: 7 } }))
    await refused(422, 'PATCH', at, patch({ ...flat, meta: { revison: 1 } }))
    await refused(422, 'PATCH', at, patch({ ...flat, links: { slef: 'x' } }))
    await refused(422, 'PATCH', at, patch({ ...flat, deals: { lnks: {} } }))
    await refused(422, 'PATCH', at, patch({ ...flat, dealz: { links: {} } }))
    const renamed = await done('PATCH', at, patch({ ...flat, name: 'Flatter SA' }))
    assert.equal(renamed.document.data.attributes.name, 'Flatter SA')
  })

  test('by kitsu, which reads and patches the same object', async () => {
    const api = new Kitsu({
      baseURL: `${service.url}/jsonapi`,
      camelCaseTypes: false,
      pluralize: false,
    })
    const { id } = await make('customers', { name: 'Kitsu SA' })
    const { data } = await api.get(`customers/${id}`)
    const { data: changed } = await api.patch('customers', { ...data, age: 50 })
    assert.deepEqual([changed.name, changed.age], ['Kitsu SA', 50])
  })
})

suite('a refusal', () => {
  const deal = { type: 'deals', attributes: { name: 'Refused', price: 1 } }

  test('points at what was sent', async () => {
    const body = { data: { type: 'deals', attributes: { price: -1, nmae: 'x', customerId: 'x' } } }
    const { all } = await refused(422, 'POST', '/jsonapi/deals', { body })
    const places = new Map(all.map(({ detail, source }) => [detail.split(' ')[0], source?.pointer]))
    assert.equal(places.get('name'), '/data/attributes', 'what is missing is missing in its parent')
    assert.equal(places.get('price'), '/data/attributes/price')
    assert.equal(places.get('nmae'), '/data/attributes/nmae')
    assert.equal(places.get('customerId'), '/data/attributes/customerId')
    const { id } = await make('deals', deal.attributes)
    const patch = { data: { type: 'deals', id, attributes: { paid: 3 } } }
    const fixed = await refused(422, 'PATCH', `/jsonapi/deals/${id}`, { body: patch })
    assert.deepEqual(fixed.source, { pointer: '/data/attributes/paid' })
    assert.match(fixed.detail, /record-payment/)
  })

  test('says what is wrong with a document', async () => {
    const post = (status: number, body: unknown) => refused(status, 'POST', '/jsonapi/deals', { body })
    assert.equal((await post(422, {})).detail, 'data is required')
    assert.equal((await post(422, { data: { attributes: {} } })).all[0]?.detail, 'type is required')
    assert.match((await post(422, { data: { ...deal, atributes: {} } })).detail, /did you mean attributes\?/)
    assert.equal((await post(409, { data: { ...deal, type: 'customers' } })).code, 'identity-conflict')
    assert.deepEqual((await post(403, { data: { ...deal, id: randomUUID() } })).source, { pointer: '/data/id' })
    assert.equal((await post(400, '{"data":')).code, 'malformed-body')
    const { id } = await make('deals', deal.attributes)
    const elsewhere = { data: { type: 'deals', id: randomUUID(), attributes: {} } }
    assert.equal((await refused(409, 'PATCH', `/jsonapi/deals/${id}`, { body: elsewhere })).source?.pointer, '/data/id')
    // Members that JSON:API does not know are refused wherever they stand, since one may be meant as a guard.
    const at = { data: { type: 'customers', id: '1' } }
    for (const [pointer, body] of [
      ['/yy', { data: deal, yy: 2 }],
      ['/data/dryRun', { data: { ...deal, dryRun: true } }],
      ['/data/meta/dry', { data: { ...deal, meta: { dry: true } } }],
      ['/meta/note', { data: deal, meta: { note: 'x' } }],
      ['/data/relationships/customer/if', { data: { ...deal, relationships: { customer: { ...at, if: 1 } } } }],
      [
        '/data/relationships/customer/meta/x',
        { data: { ...deal, relationships: { customer: { ...at, meta: { x: 1 } } } } },
      ],
    ] as const) {
      assert.deepEqual((await post(422, body)).source, { pointer })
    }
    const twice = { data: { ...deal, meta: { dryRun: true } }, meta: { dryRun: false } }
    assert.equal((await post(400, twice)).detail, 'dryRun has two values.')
    const odd = { data: { ...deal, '@id': 1, attributes: { ...deal.attributes, '@context': 'x' } } }
    await done('POST', '/jsonapi/deals', { body: odd })
  })

  test('of a parameter that is not known names it', async () => {
    for (const [address, parameter, hint] of [
      ['/jsonapi/deals?status=open', 'status', 'filter[status]'],
      ['/jsonapi/deals?expand=customer', 'expand', ''],
      ['/jsonapi/deals?filter[stutas]=open', 'filter[stutas]', 'status'],
      ['/jsonapi/deals?sort=prise', 'sort', 'price'],
      ['/jsonapi/deals?page[size]=x', 'page[size]', ''],
      ['/jsonapi/deals?include=custmer', 'include', 'customer'],
      ['/jsonapi/deals?include=customer.deals.customer.deals', 'include', ''],
      ['/jsonapi/deals?page[after]=x', 'page[after]', ''],
      [`/jsonapi/deals/${randomUUID()}?sort=name`, 'sort', ''],
      [`/jsonapi/deals/${randomUUID()}/relationships/customer?include=customer`, 'include', ''],
    ] as const) {
      const error = await refused(400, 'GET', address)
      assert.equal(error.source?.parameter, parameter)
      assert.ok(error.detail.includes(hint), error.detail)
    }
    const written = await refused(400, 'POST', '/jsonapi/deals?dry_run=true', { body: { data: deal } })
    assert.equal(written.source?.parameter, 'dry_run')
  })

  test('is told as errors before the door is reached too', async () => {
    const nowhere = await refused(404, 'GET', '/jsonapi/nothing')
    assert.equal(nowhere.code, 'not-found')
    assert.doesNotMatch(nowhere.detail, /did you mean/, 'it does not suggest itself')
    assert.equal((await refused(404, 'GET', '/jsonapi/deals/x')).code, 'deal-not-found')
    const { id } = await make('deals', deal.attributes)
    assert.equal((await refused(404, 'POST', `/jsonapi/deals/${id}/holt`, { body: {} })).code, 'not-found')
    assert.match(String((await refused(405, 'GET', '/jsonapi/operations')).headers.allow), /POST/)
    assert.match(String((await refused(405, 'PUT', `/jsonapi/deals/${id}`, { body: {} })).headers.allow), /PATCH/)
  })
})

test('media types are negotiated as JSON:API demands', async () => {
  const accepting = (accept: string) => ask('GET', '/jsonapi/rates', { headers: { accept } })
  for (const [accept, status] of [
    [TYPE, 200],
    ['*/*', 200],
    [`${TYPE}; profile="https://example.com/p"`, 200],
    [ATOMIC, 200],
    [`${TYPE}; charset=utf-8`, 406],
    [`${TYPE}; charset=utf-8, */*`, 406],
    [`${TYPE}; charset=utf-8, ${TYPE}`, 200],
    [`${TYPE}; ext="https://example.com/e"`, 406],
    [`${TYPE}; ext="https://example.com/e", ${TYPE};q=0.5`, 200],
    [`${TYPE};q=0, */*`, 406],
    ['text/html', 406],
  ] as const) {
    assert.equal((await accepting(accept)).status, status, accept)
  }
  const body = { data: { type: 'customers', attributes: { name: 'Typed' } } }
  for (const [type, status] of [
    ['application/json', 415],
    [`${TYPE}; charset=utf-8`, 415],
    [`${TYPE}; ext="https://example.com/e"`, 415],
    [`${TYPE}; profile="https://example.com/p"`, 201],
    [TYPE, 201],
  ] as const) {
    const answer = await ask('POST', '/jsonapi/customers', { body, headers: { 'content-type': type } })
    assert.equal(answer.status, status, type)
    if (status === 415) assert.match(String(answer.headers.accept), /vnd\.api/)
    assert.match(String(answer.headers.vary), /Accept/)
  }
})

test('a resource is sent back as it was read, with its links, relationships and linkage', async () => {
  const customer = await make('customers', { name: 'Read' })
  const { id: dealId } = await make('deals', { name: 'Read', price: 5 }, ofCustomer(customer.id))
  for (let made = 0; made < 52; made++) await make('tasks', { title: `Task ${made}`, dealId })
  await make('views', { name: 'Read', collection: 'deals', query: '' })
  await make('targets', { user: 'ann', from: '2027-01-01', to: '2027-03-31', amount: 1, currency: 'EUR' })
  await make('rates', { currency: 'USD', perUnit: 1.1, since: '2026-01-01' })
  await make('fields', { on: 'deal', name: 'note', title: 'Note', kind: 'text' })
  await done('PATCH', `/jsonapi/deals/${dealId}`, {
    body: { data: { type: 'deals', id: dealId, attributes: { own: { note: 'n' } } } },
  })
  for (const { plural, names } of resources) {
    const all = (await done('GET', `/jsonapi/${plural}?page[size]=5`)).document.data as unknown as JsonApiResource[]
    assert.notEqual(all.length, 0, plural)
    for (const { id, relationships = {} } of all) {
      const path = `/jsonapi/${plural}/${id}`
      const [first = ''] = Object.keys(relationships)
      for (const query of [
        '',
        ...Object.keys(relationships).map((name) => `?include=${name}`),
        `?fields[${plural}]=${[names.at(-4), first].filter((name) => name !== '').join()}`,
      ]) {
        const { links, data } = JSON.parse((await done('GET', path + query)).text)
        const again = await done('PATCH', path, { body: { jsonapi: { version: '1.1' }, links, data } })
        assert.equal(again.document.data.meta.revision, data.meta.revision, path + query)
        const operation = { 'atomic:operations': [{ op: 'update', data }] }
        await done('POST', '/jsonapi/operations', { body: operation, headers: { 'content-type': ATOMIC } })
        assert.deepEqual(JSON.parse((await done('GET', path + query)).text).data, data, path + query)
      }
    }
  }
})

test('a relationship to many that is sent back changed is refused, and asks for nothing without data', async () => {
  const { id } = await make('deals', { name: 'Told', price: 5 })
  const { id: task } = await make('tasks', { title: 'Told', dealId: id })
  const self = `/jsonapi/deals/${id}/relationships`
  const tasks = { links: { self: `${self}/tasks` } }
  const body = (relationships: object) => ({ body: { data: { type: 'deals', id, relationships } } })
  const named = { type: 'tasks', id: task }
  await done('PATCH', `/jsonapi/deals/${id}`, body({ tasks, customer: { links: { self: `${self}/customer` } } }))
  await done('PATCH', `/jsonapi/deals/${id}`, body({ tasks: { ...tasks, data: [named] } }))
  await refused(422, 'PATCH', `/jsonapi/deals/${id}`, body({ tasks: {} }))
  for (const data of [[], null, [{ ...named, id: randomUUID() }], [named, { type: 'tasks', id: randomUUID() }]])
    await refused(403, 'PATCH', `/jsonapi/deals/${id}`, body({ tasks: { ...tasks, data } }))
  const elsewhere = { data: { type: 'deals', id: 'none', relationships: { tasks: { data: [] } } } }
  await refused(404, 'PATCH', '/jsonapi/deals/none', { body: elsewhere })
})

test('a date or a tag guards beside the revision in meta, and both must hold', async () => {
  const { id, links } = await make('deals', { name: 'Guarded', price: 1 })
  const change = (revision: number) => ({ data: { type: 'deals', id, attributes: { price: 2 }, meta: { revision } } })
  const tag = String((await done('GET', links.self)).headers.etag)
  for (const [headers, revision] of [
    [{ 'if-unmodified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' }, 1],
    [{ 'if-none-match': tag }, 1],
    [{ 'if-match': '"x"' }, 1],
  ] as const) {
    const told = await refused(412, 'PATCH', links.self, { body: change(revision), headers })
    assert.equal(told.headers.etag, tag)
  }
  await refused(400, 'PATCH', links.self, { body: change(2), headers: { 'if-match': tag } })
  const changed = await done('PATCH', links.self, { body: change(1), headers: { 'if-match': tag } })
  assert.equal(changed.document.data.meta.revision, 2)
})

test('a dry run shows what would result, without a tag, a revision or the id of what does not exist', async () => {
  const attributes = { name: 'Tried', price: 1 }
  const create = { data: { type: 'deals', attributes }, meta: { dryRun: true } }
  const headers = { 'content-type': TYPE }
  const made = await service.request('POST', '/jsonapi/deals?include=customer', { body: create, headers })
  assert.deepEqual([made.status, made.headers['dry-run']], [200, 'true'])
  assert.deepEqual([made.headers.location, made.headers.etag], [undefined, undefined])
  const { id: none, links: nowhere, meta, attributes: shown, relationships } = JSON.parse(made.text).data
  assert.deepEqual([none, nowhere, meta], [undefined, undefined, undefined])
  assert.equal(shown.name, 'Tried')
  assert.deepEqual(relationships.customer, { data: null })
  const { id, links } = await make('deals', attributes)
  const held = { data: { attributes: { reason: 'r' }, meta: { dryRun: true, expectedRevision: 1 } } }
  const tried = await done('POST', `${links.self}/hold`, { body: held })
  assert.deepEqual([tried.document.data.id, tried.document.data.attributes.held], [id, true])
  assert.deepEqual([tried.headers.etag, tried.document.data.meta], [undefined, undefined])
  const deleted = await ask('DELETE', `${links.self}?dry-run=true`)
  assert.deepEqual([deleted.status, deleted.headers['dry-run']], [204, 'true'])
  const { document } = await done('GET', links.self)
  assert.deepEqual([document.data.attributes.held, document.data.meta.revision], [false, 1])
  const stale = { data: { ...held.data, meta: { expectedRevision: 9 } } }
  await refused(412, 'POST', `${links.self}/hold`, { body: stale })
})

test('a resource has a tag, and a request is decided once under its key', async () => {
  const key = randomUUID()
  const body = { data: { type: 'deals', attributes: { name: 'Once', price: 1 } } }
  const create = () => done('POST', '/jsonapi/deals', { body, headers: { 'idempotency-key': key } })
  const first = await create()
  const { id, links } = first.document.data
  assert.equal(first.status, 201)
  assert.equal(first.headers.location, links.self)
  const again = await create()
  assert.equal(again.document.data.id, id)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  const read = await done('GET', links.self)
  assert.equal(read.headers.etag, first.headers.etag)
  const seen = await ask('GET', links.self, { headers: { 'if-none-match': String(read.headers.etag) } })
  assert.equal(seen.status, 304)
  const other = { data: { ...body.data, meta: { commandId: 'another' } } }
  const headers = { 'idempotency-key': key }
  assert.equal(
    (await refused(400, 'POST', '/jsonapi/deals', { body: other, headers })).source?.header,
    'Idempotency-Key',
  )
  const twice = { type: 'deals', attributes: { name: 'Twice', price: 1 } }
  const keyed = await refused(422, 'POST', '/jsonapi/deals', { body: { data: twice }, headers })
  assert.equal(keyed.code, 'idempotency-key-reused')
  const reused = { data: { ...twice, meta: { commandId: key } } }
  assert.equal((await refused(409, 'POST', '/jsonapi/deals', { body: reused })).code, 'command-id-reused')
  const bad = { data: { ...body.data, meta: { commandId: 'a b', revision: 'x' } } }
  const places = (await refused(422, 'POST', '/jsonapi/deals', { body: bad })).all.map(({ source }) => source?.pointer)
  assert.deepEqual(places, ['/data/meta/commandId', '/data/meta/revision'])
})

suite('operations together', () => {
  const together = (operations: readonly object[], headers = {}) =>
    ask('POST', '/jsonapi/operations', {
      body: { 'atomic:operations': operations },
      headers: { 'content-type': ATOMIC, ...headers },
    })

  test('take effect in one commit, and name what earlier ones make', async () => {
    const key = randomUUID()
    const { id: old } = await make('deals', { name: 'Old', price: 5 })
    const { id: gone } = await make('deals', { name: 'Gone', price: 5 })
    const link = { type: 'customers', lid: 'c' }
    const operations = [
      { op: 'add', data: { ...link, attributes: { name: 'Atomic AG' } } },
      {
        op: 'add',
        data: {
          type: 'deals',
          lid: 'd',
          attributes: { name: 'New', price: 7 },
          relationships: { customer: { data: link } },
        },
      },
      {
        op: 'update',
        ref: { type: 'deals', lid: 'd' },
        data: { type: 'deals', lid: 'd', attributes: { name: 'Newer' } },
      },
      { op: 'update', ref: { type: 'deals', id: old, relationship: 'customer' }, data: link },
      { op: 'update', data: { type: 'deals', id: old, attributes: { stage: 'proposal' } } },
      { op: 'add', href: `/jsonapi/deals/${old}/hold`, data: { attributes: { reason: 'together' } } },
      { op: 'remove', ref: { type: 'deals', id: gone }, meta: { revision: 1 } },
    ]
    const answer = await together(operations, { 'idempotency-key': key })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.headers['content-type'], ATOMIC)
    const results = answer.document['atomic:results'].map(({ data }) => data)
    assert.equal(results.length, operations.length)
    const customer = results[0]?.id
    assert.equal(results[1]?.relationships.customer?.data?.id, customer)
    assert.equal(results[2]?.attributes.name, 'Newer')
    assert.deepEqual(results[3], { type: 'customers', id: customer })
    assert.equal(results[5]?.attributes.holdReason, 'together')
    assert.equal(results[5]?.meta.revision, 4)
    assert.equal(results[6], undefined)
    assert.equal((await ask('GET', `/jsonapi/deals/${gone}`)).status, 410)
    const again = await together(operations, { 'idempotency-key': key })
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.document['atomic:results'][0]?.data?.id, customer)
    const other = { op: 'add', data: { type: 'deals', attributes: { name: 'Other', price: 7 } } }
    const reused = await together([other], { 'idempotency-key': key })
    assert.deepEqual([reused.status, reused.document.errors[0]?.code], [422, 'idempotency-key-reused'])
    assert.equal((await together([other], { 'idempotency-key': 'k'.repeat(128) })).status, 400)
  })

  test('are tried by the meta of their document as by the address, and both must agree', async () => {
    const { id } = await make('deals', { name: 'Kept', price: 5 })
    const change = { op: 'update', data: { type: 'deals', id, attributes: { name: 'Tried' } } }
    const sent = (dryRun: unknown, operation: object = change, query = '') =>
      ask('POST', `/jsonapi/operations${query}`, {
        body: { meta: { dryRun }, 'atomic:operations': [change, operation] },
        headers: { 'content-type': ATOMIC },
      })
    for (const tried of [await sent(true), await sent(true, change, '?dry-run=true')]) {
      assert.deepEqual([tried.status, tried.headers['dry-run']], [200, 'true'], tried.text)
      assert.equal(tried.document['atomic:results'][0]?.data?.attributes.name, 'Tried')
    }
    assert.equal((await sent(true, { ...change, meta: { dryRun: false } })).status, 400)
    assert.equal((await sent(false, change, '?dry-run=true')).status, 400)
    assert.equal((await sent('true')).status, 422)
    assert.equal((await done('GET', `/jsonapi/deals/${id}`)).document.data.meta.revision, 1)
    assert.equal((await sent(false)).status, 200)
    assert.equal((await done('GET', `/jsonapi/deals/${id}`)).document.data.meta.revision, 2)
  })

  test('take no effect if one is refused, and every refusal is told', async () => {
    const { id } = await make('deals', { name: 'Whole', price: 5 })
    const answer = await together([
      { op: 'update', data: { type: 'deals', id, attributes: { name: 'Half' } } },
      { op: 'add', data: { type: 'deals', attributes: { price: 7 } } },
      { op: 'add', href: `/jsonapi/deals/${id}/unhold` },
      { op: 'update', data: { type: 'deals', id, attributes: { name: 'Late' }, meta: { revision: 9 } } },
    ])
    assert.equal(answer.status, 400)
    assert.deepEqual(
      answer.document.errors.map(({ code, source }) => [code, source?.pointer]),
      [
        ['invalid-body', '/atomic:operations/1/data/attributes'],
        ['wrong-state', '/atomic:operations/2'],
        ['stale-revision', '/atomic:operations/3'],
      ],
    )
    assert.match(String(answer.document.errors[1]?.detail), /^unhold is not allowed/)
    assert.equal((await done('GET', `/jsonapi/deals/${id}`)).document.data.meta.revision, 1)
  })

  test('say what is wrong with them', async () => {
    const deal = { type: 'deals', lid: 'a', attributes: { name: 'A', price: 1 } }
    const { id } = await make('customers', { name: 'Wrong BV' })
    for (const [operations, status, pointer] of [
      [[], 422, '/atomic:operations'],
      [[7], 422, '/atomic:operations/0'],
      [[{ op: 'put', data: deal }], 422, '/atomic:operations/0/op'],
      [[{ op: 'add', data: { type: 'dealz' } }], 422, '/atomic:operations/0/data/type'],
      [[{ op: 'add', data: { ...deal, id: randomUUID() } }], 403, '/atomic:operations/0/data/id'],
      [
        [
          { op: 'add', data: deal },
          { op: 'add', data: deal },
        ],
        422,
        '/atomic:operations/1/data/lid',
      ],
      [[{ op: 'update', data: { type: 'deals', lid: 'b' } }], 422, '/atomic:operations/0/data/lid'],
      [[{ op: 'remove' }], 422, '/atomic:operations/0'],
      [
        [{ op: 'update', ref: { type: 'customers', id }, data: { type: 'customers', id: '1234567' } }],
        409,
        '/atomic:operations/0/data/id',
      ],
      [[{ op: 'remove', ref: { type: 'deals', id: randomUUID() } }], 404, '/atomic:operations/0'],
      [[{ op: 'add', href: '/jsonapi/deals/1/2/3', data: deal }], 422, '/atomic:operations/0/href'],
      [[{ op: 'add', href: '/rest/v1/deals', data: deal }], 422, '/atomic:operations/0/href'],
      [[{ op: 'add', href: '/jsonapi/deals?dry-run=true', data: deal }], 422, '/atomic:operations/0/href'],
      [[{ op: 'add', href: 'http://other.example/jsonapi/deals', data: deal }], 422, '/atomic:operations/0/href'],
      [
        [{ op: 'add', ref: { type: 'customers', id, relationship: 'deals' }, data: [] }],
        403,
        '/atomic:operations/0/ref',
      ],
      [
        [{ op: 'add', ref: { type: 'customers', id, relationship: 'dealz' }, data: [] }],
        422,
        '/atomic:operations/0/ref/relationship',
      ],
    ] as const) {
      const answer = await together(operations as readonly object[])
      assert.equal(answer.status, status, `${JSON.stringify(operations)} ${answer.text}`)
      assert.equal(answer.document.errors[0]?.source?.pointer, pointer, answer.text)
    }
    const plain = await together([{ op: 'add', data: deal }], { 'content-type': TYPE })
    assert.equal(plain.status, 415)
    assert.equal((await together([{ op: 'add', data: deal }], { 'if-match': '*' })).status, 400)
  })
})
