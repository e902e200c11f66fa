import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { JSON_OR_FORM } from '../../../src/http/contract/endpoint.ts'
import { endpointsOf } from '../../../src/service/endpoints.ts'
import { test, testOnEachStore } from '../../support/rooms/each-store.ts'
import { schema } from '../../support/schema.ts'
import { DEALS, openDeal } from '../../support/service/making-deals.ts'
import { type Answered, runService, type TestService } from '../../support/service/running-service.ts'
import { saidFaults } from '../../support/service/said-faults.ts'

const endpoints = endpointsOf(schema)

type Item = { readonly [name: string]: unknown }

let service: TestService
before(async () => {
  service = await runService({ CORS_ORIGINS: 'https://app.example.com' })
  const people = [
    ['Ada', 70, 'DE'],
    ['Bo', 30, 'FR'],
    ['Cy', 17, 'DE'],
    ['Müller', null, null],
    ['Eve', 65, 'IT'],
  ] as const
  for (const [name, age, country] of people) {
    await service.request('POST', '/customers', { body: { name, age, country } })
  }
})
after(() => service.close())

const query = (body: unknown, path = '/customers', headers = {}): Promise<Answered> =>
  service.request('QUERY', path, { body, headers })

const form = (text: string, path = '/customers'): Promise<Answered> =>
  service.request('QUERY', path, { body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } })

async function names(answer: Promise<Answered>): Promise<readonly unknown[]> {
  const { status, body, text } = await answer
  assert.equal(status, 200, text)
  return ((body.items ?? body) as readonly Item[]).map(({ name }) => name)
}

suite('QUERY', () => {
  test('answers on every collection, for whoever may read it, and says which contents it takes', async () => {
    const lists = endpoints.filter(({ parameters, method }) => parameters === 'collection' && method === 'GET')
    assert.ok(lists.length > 10)
    const deal = await openDeal(service)
    for (const { path, role } of lists) {
      assert.equal(endpoints.find((each) => each.path === path && each.method === 'QUERY')?.role, role)
      const address = path.replace(/^(.*\/deals)\/:id/, `$1/${deal.id}`).replaceAll(/:\w+/g, '1')
      const [got, asked] = [await service.request('GET', address), await query({}, address)]
      assert.equal(asked.status, got.status, `${address} ${asked.text}`)
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        const { headers } = await service.request(method, address)
        assert.equal(headers['accept-query'], JSON_OR_FORM.join(', '), `${method} ${address}`)
      }
    }
  })

  test('gives what GET gives for the same query', async () => {
    const search = 'min-age=18&sort=-age&fields=name,age&maxpagesize=2'
    const got = await service.request('GET', `/customers?${search}`)
    const asked = await form(search)
    const { after: next, ...same } = asked.body
    assert.deepEqual(same, got.body)
    assert.equal(asked.headers.location, `/customers?${search}`)
    assert.equal(asked.headers['content-location'], `/customers?${search}`)
    assert.equal(asked.headers['cache-control'], 'private, no-cache')
    assert.deepEqual(await names(form(`${search}&after=${next}`)), ['Bo'])
    const json = { filter: { age: { gte: 18 } }, sort: ['-age'], fields: ['name', 'age'], maxpagesize: 2 }
    const { links: _links, ...answered } = (await query(json)).body
    const { links: _other, ...expected } = asked.body
    assert.deepEqual(answered, expected)
    assert.deepEqual(await names(query({ ...json, after: next })), ['Bo'])
    assert.deepEqual(await names(query({ ...json, after: null })), ['Ada', 'Eve'])
  })

  test('its links lead to the same by GET, and back', async () => {
    const { body } = await query({ filter: { or: [{ age: { gte: 65 } }, { age: null }] }, maxpagesize: 1 })
    const seen: unknown[] = []
    let next: string | undefined = body.links.self
    let last = ''
    for (; next !== undefined; ) {
      last = next
      const page: Answered = await service.request('GET', next)
      seen.push(...(page.body.items as readonly Item[]).map(({ name }) => name))
      next = page.body.links.next
    }
    assert.deepEqual(seen, ['Ada', 'Müller', 'Eve'])
    const end = await service.request('GET', last)
    assert.deepEqual(await names(service.request('GET', end.body.links.prev ?? '')), ['Müller'])
  })

  testOnEachStore('JSON says and, or, not, lists, null and every comparison', async () => {
    for (const [filter, expected] of [
      [{}, ['Ada', 'Bo', 'Cy', 'Müller', 'Eve']],
      [{ name: 'Ada' }, ['Ada']],
      [{ name: ['Ada', 'Bo'] }, ['Ada', 'Bo']],
      [{ age: null }, ['Müller']],
      [{ country: ['FR', null] }, ['Bo', 'Müller']],
      [{ age: { gte: 17, lt: 65 } }, ['Bo', 'Cy']],
      [{ age: { ne: 30 } }, ['Ada', 'Cy', 'Müller', 'Eve']],
      [{ age: { ne: [30, null] } }, ['Ada', 'Cy', 'Eve']],
      [{ age: { ne: null } }, ['Ada', 'Bo', 'Cy', 'Eve']],
      [{ age: { null: true } }, ['Müller']],
      [{ name: { regex: ['^A', '^M'] } }, ['Ada', 'Müller']],
      [{ id: { in: [] } }, []],
      [{ id: { ne: [] } }, ['Ada', 'Bo', 'Cy', 'Müller', 'Eve']],
      [{ or: [] }, []],
      [{ and: [] }, ['Ada', 'Bo', 'Cy', 'Müller', 'Eve']],
      [{ or: [{ age: { gte: 65 } }, { country: 'FR' }] }, ['Ada', 'Bo', 'Eve']],
      [{ country: 'DE', or: [{ age: { gte: 65 } }, { name: 'Cy' }] }, ['Ada', 'Cy']],
      [{ not: { country: 'DE' } }, ['Bo', 'Müller', 'Eve']],
      [{ not: { age: { gt: 20 } } }, ['Cy', 'Müller']],
      [{ not: { or: [{ country: 'DE' }, { age: 30 }] } }, ['Müller', 'Eve']],
      [{ and: [{ age: { gte: 18 } }, { not: { and: [{ country: 'DE' }, { age: 70 }] } }] }, ['Bo', 'Eve']],
    ] as const) {
      assert.deepEqual(await names(query({ filter })), expected, JSON.stringify(filter))
      const address = `/customers?filter=${encodeURIComponent(JSON.stringify(filter))}`
      assert.deepEqual(await names(service.request('GET', address)), expected, address)
    }
  })

  testOnEachStore('each digit of a number in JSON counts, as in an address', async () => {
    const deal = await openDeal(service, { name: 'Bridge', currency: 'KWD' })
    for (const amount of [...Array(8).fill(1e12), 999_999_999_999, 0.997]) {
      await service.request('POST', `${DEALS}/${deal.id}/payments`, { body: { amount } })
    }
    const sent = (body: string, path: string): Promise<Answered> =>
      service.request('QUERY', path, { body, headers: { 'content-type': 'application/json' } })
    for (const [path, filter, status, found] of [
      [DEALS, '{"paid":{"eq":8999999999999.997}}', 200, 1],
      [DEALS, '{"paid":{"eq":8999999999999.996}}', 200, 0],
      [DEALS, '{"paid":{"gte":8e12}}', 200, 1],
      [DEALS, '{"price":5e-05}', 400],
      [DEALS, '{"price":{"gte":999999999999.99999999}}', 400],
      ['/customers', '{"age":30}', 200, 1],
      ['/customers', '{"age":3e1}', 200, 1],
      ['/customers', '{"age":35e-1}', 400],
      ['/customers', '{"age":30.0}', 200, 1],
      ['/customers', '{"age":30.5}', 400],
      ['/customers', '{"id":9007199254740993}', 400],
    ] as const) {
      const got = await service.request('GET', `${path}?filter=${encodeURIComponent(filter)}`)
      const asked = await sent(`{"filter":${filter}}`, path)
      assert.deepEqual([got.status, asked.status], [status, status], `${filter} ${asked.text}`)
      assert.equal(asked.body.items?.length, found, filter)
      assert.equal(got.body.items?.length, found, filter)
      assert.equal(asked.body.detail, got.body.detail)
    }
    assert.deepEqual(await names(sent('{"limit":1,"sort":["-age"],"offset":1}', '/customers')), ['Eve'])
    assert.equal((await sent('{"limit":1e1}', '/customers')).status, 400)
    assert.equal((await sent('5', '/customers')).body.detail, 'what was sent must be a JSON object')
  })

  testOnEachStore('JSON searches, and compares with patterns, whatever the case', async () => {
    assert.deepEqual(await names(query({ q: 'MULLER' })), ['Müller'])
    assert.deepEqual(await names(query({ q: 'e', filter: { age: { gte: 65 } } })), ['Eve'])
    assert.deepEqual(await names(query({ filter: { name: { contains: ['UL', 'v'] } } })), ['Müller', 'Eve'])
    assert.deepEqual(await names(query({ filter: { name: { starts: 'mu' } } })), ['Müller'])
    assert.deepEqual(await names(query({ filter: { name: { ilike: '_d%' } } })), ['Ada'])
    assert.deepEqual(await names(query({ filter: { name: { ilike: '*UL*' } } })), ['Müller'])
    assert.deepEqual(await names(query({ filter: { name: { ilike: '*\\**' } } })), [])
  })

  test('a list is refused where an address has one value', async () => {
    for (const [name, value] of [
      ['q', ['mul', 'er']],
      ['limit', [1, 2]],
      ['after', ['a', 'b']],
    ] as const) {
      const { status, body } = await query({ [name]: value })
      assert.deepEqual([status, body.detail], [400, `${name} must be a text or a number`])
    }
    assert.equal((await query({ sort: {} })).body.detail, 'sort must be a text, a number or a list of them')
  })

  test('JSON has every setting of an address, by each of its names', async () => {
    assert.deepEqual(await names(query({ order: 'age desc', limit: 2 })), ['Ada', 'Eve'])
    assert.deepEqual(await names(query({ sort: ['-age', 'name'], offset: 1, $top: 1 })), ['Eve'])
    assert.equal((await query({ count: 'exact', limit: 1 })).body.total, 5)
    assert.equal((await query({ $count: true, limit: 1 })).body.total, 5)
    const different = await query({ limit: 1, pageSize: 2 })
    assert.equal(different.body.errors[0]?.pointer, '/pageSize')
    const owner = await openDeal(service, { name: 'Roof', price: 10.1, customerId: 1 })
    const expanded = await query({ filter: { id: owner.id }, expand: ['customer'] }, DEALS)
    const [deal] = expanded.body.items as readonly { readonly customer: Item }[]
    assert.equal(deal?.customer.name, 'Ada')
    assert.deepEqual(await names(query({ filter: { 'customer.country': 'DE' } }, DEALS)), ['Roof'])
  })

  testOnEachStore('JSON asks for groups and measures, a page at a time', async () => {
    const asked = { filter: { age: { ne: null } }, group: ['country'], measure: ['count', 'max.age'], limit: 2 }
    const first = await query(asked)
    assert.deepEqual(first.body.items, [
      { country: 'DE', count: 2, 'max.age': 70 },
      { country: 'FR', count: 1, 'max.age': 30 },
    ])
    assert.equal(first.body.after, undefined)
    const second = await query({ ...asked, page: 2 })
    assert.deepEqual(second.body.items, [{ country: 'IT', count: 1, 'max.age': 65 }])
    assert.equal((await query({ group: ['countri'] })).body.errors[0]?.pointer, '/group')
  })

  test('its faults are at their pointers in JSON, and at their parameters in a form', async () => {
    const deep = (levels: number): object => (levels === 0 ? { age: 1 } : { not: deep(levels - 1) })
    for (const [body, pointer, detail] of [
      [{ filter: { or: [{ age: 1 }, { agee: 1 }] } }, '/filter/or/1/agee', /did you mean age/],
      [{ filter: { age: { gte: '18' } } }, '/filter/age/gte', /must be a number/],
      [{ filter: { age: 1.5 } }, '/filter/age', /must be an integer/],
      [{ filter: { name: 5 } }, '/filter/name', /must be a string/],
      [{ filter: { age: [1, 'x'] } }, '/filter/age/1', /must be a number/],
      [{ filter: { age: { gte: null } } }, '/filter/age/gte', /must be a number/],
      [{ filter: { age: { gte: [1] } } }, '/filter/age/gte', /takes one value/],
      [{ filter: { age: { gtee: 1 } } }, '/filter/age/gtee', /did you mean gte/],
      [{ filter: { name: { regex: '(' } } }, '/filter/name/regex', /./],
      [{ filter: { or: { age: 1 } } }, '/filter/or', /list of filters/],
      [{ filter: [{ age: 1 }] }, '/filter', /object/],
      [{ filter: deep(11) }, `/filter${'/not'.repeat(11)}`, /deeper than 10/],
      [{ filter: { or: Array.from({ length: 51 }, (_, age) => ({ age })) } }, '/filter', /50 filters/],
      [{ filter: { id: Array.from({ length: 5001 }, (_, id) => id) } }, '/filter', /5000 values/],
      [{ filters: {} }, '/filters', /did you mean filter/],
      [{ age: 18 }, '/age', /not known here; a field belongs in filter/],
      [{ pag: 2 }, '/pag', /did you mean page/],
      [{ sort: ['agee'] }, '/sort', /did you mean age/],
      [{ maxpagesize: 0 }, '/maxpagesize', /integer from 1/],
      [{ maxpagesize: { of: 1 } }, '/maxpagesize', /must be a text or a number/],
      [{ after: 'nonsense' }, '/after', /link of this list/],
      [{ format: 'csv' }, '/format', /address/],
      [[], '', /object/],
    ] as const) {
      const answer = await query(body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.equal(answer.body.code, 'invalid-parameter')
      assert.equal(answer.body.errors[0]?.pointer, pointer)
      assert.match(String(answer.body.errors[0]?.detail), detail)
    }
    const beside = await query({ limit: 0 }, '/customers?agee=1')
    assert.deepEqual(saidFaults(beside.body.errors), [
      { parameter: 'agee', detail: 'is not known here, did you mean age?' },
      { pointer: '/limit', detail: 'must be an integer from 1' },
    ])
    const wrong = await form('agee=1')
    assert.deepEqual(wrong.body.errors[0], (await service.request('GET', '/customers?agee=1')).body.errors[0])
    const inAddress = await service.request('GET', '/customers?filter=%7B%22age%22%3A%22x%22%7D')
    assert.equal(inAddress.body.detail, 'filter at /age must be a number')
    assert.equal((await query({ filter: { age: 'x' } })).body.detail, inAddress.body.detail)
    assert.equal((await query({ filter: [] })).body.detail, 'filter must be a JSON object')
    assert.equal((await query([])).body.detail, 'what was sent must be a JSON object')
    const inside = { filter: { or: [[]] } }
    assert.equal((await query(inside)).body.detail, 'filter at /or/0 must be a JSON object')
    assert.equal((await service.request('GET', '/customers?filter=age')).status, 400)
  })

  test('refuses contents of other types, and says which it takes', async () => {
    for (const type of ['application/xml', 'text/plain', 'application/merge-patch+json', 'nonsense']) {
      for (const body of ['{}', undefined]) {
        const answer = await service.request('QUERY', '/customers', {
          body,
          headers: { 'content-type': type },
        })
        assert.equal(answer.status, 415, `${type} ${body} ${answer.text}`)
        assert.equal(answer.headers['accept-query'], JSON_OR_FORM.join(', '))
      }
    }
    const untyped = await service.request('QUERY', '/customers')
    assert.deepEqual([untyped.status, untyped.headers['accept-query']], [415, JSON_OR_FORM.join(', ')])
    const broken = await service.request('QUERY', '/customers', {
      body: '{"filter":',
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual([broken.status, broken.body.code], [400, 'malformed-body'])
    const asForm = await form('{"filter":{}}')
    assert.deepEqual([asForm.status, asForm.body.code], [415, 'unsupported-media-type'])
  })

  test('takes a query that no address could hold, and then says where it goes on', async () => {
    const ids = Array.from({ length: 4000 }, (_, n) => n + 1)
    const body = { filter: { id: ids, name: { ne: 'x'.repeat(10_000) } }, maxpagesize: 2 }
    const first = await query(body)
    assert.deepEqual(await names(Promise.resolve(first)), ['Ada', 'Bo'])
    assert.deepEqual(first.body.links, {})
    assert.deepEqual([first.headers.link, first.headers.location], [undefined, undefined])
    const second = await query({ ...body, after: first.body.after })
    assert.deepEqual(await names(Promise.resolve(second)), ['Cy', 'Müller'])
    assert.deepEqual(await names(query({ ...body, before: second.body.before })), ['Ada', 'Bo'])
    assert.equal((await query({ filter: { name: 'x'.repeat(1_048_576) } })).status, 413)
    assert.deepEqual(await names(form(`name=Müller&name=${'y'.repeat(9000)}`)), ['Müller'])
  })

  test('of a bare list says in headers where it goes on, also where no link fits', async () => {
    const ids = Array.from({ length: 3 }, () => openDeal(service, { owner: 'zoe' }))
    const made = new Set((await Promise.all(ids)).map(({ id }) => id))
    const others = Array.from({ length: 300 }, (_, n) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`)
    const body = { filter: { id: [...made, ...others] }, limit: 2 }
    const path = '/query/deals-by-owner/zoe'
    const first = await query(body, path)
    assert.deepEqual([first.headers.link?.includes('rel="next"') ?? false, first.headers.before], [false, undefined])
    const second = await query({ ...body, after: first.headers.after }, path)
    assert.equal(second.headers.after, undefined)
    const found = [first, second].flatMap(({ body: items }) => items as unknown as readonly Item[])
    assert.deepEqual(new Set(found.map(({ id }) => id)), made)
    assert.equal(found.length, 3)
    assert.deepEqual((await query({ ...body, before: second.headers.before }, path)).body, first.body)
    const got = await service.request('GET', `${path}?limit=2`)
    assert.deepEqual([got.status, got.headers.after], [200, undefined])
  })

  test('its headers fit what clients read, however long the query', async () => {
    for (let length = 500; length < 9000; length += 500) {
      const { status, body, headers } = await query({ filter: { name: { ne: 'x'.repeat(length) } }, limit: 2 })
      assert.equal(status, 200)
      assert.equal(headers['content-location'], headers.location)
      const sizes = [headers.link, headers.location, headers['content-location']].map((value) => value?.length ?? 0)
      assert.ok(sizes.reduce((sum, size) => sum + size) <= 12_288, `${length}: ${sizes}`)
      assert.equal(body.items?.length, 2)
    }
  })

  test('refuses at once what is too much to read', async () => {
    const many = <T>(count: number, each: (n: number) => T): readonly T[] =>
      Array.from({ length: count }, (_, n) => each(n))
    for (const [filter, detail] of [
      [{ id: many(10_002, (n) => n) }, /more than 10000/],
      [{ or: many(10_002, () => ({})) }, /more than 10000/],
      [{ or: many(3000, () => ({ not: {} })) }, /50 filters/],
      [{ or: many(4000, () => ({})) }, /50 filters/],
      [Object.fromEntries(many(9000, (n) => [`agx${n}`, 1])), /names no field/],
      [{ and: many(9000, () => 1) }, /object/],
    ] as const) {
      const answer = await query({ filter })
      assert.equal(answer.status, 400)
      assert.match(answer.body.detail, detail)
      assert.ok((answer.body.errors ?? []).length <= 50)
    }
    for (const text of ['a&'.repeat(400_000), 'id=1&'.repeat(200_000), `id.in=${'1,'.repeat(300_000)}`]) {
      assert.equal((await form(text)).status, 400)
    }
    assert.deepEqual(await names(query({ filter: { name: [','.repeat(20_000), 'Ada'] } })), ['Ada'])
  })

  test('is negotiated like GET, with the query of its address beside that of its content', async () => {
    const csv = await query({ filter: { country: 'DE' }, fields: ['name'] }, '/customers?sort=-name', {
      accept: 'text/csv',
    })
    assert.equal(csv.text, 'name\r\nCy\r\nAda\r\n')
    const page = await query({ filter: { country: 'DE' } }, '/customers', { accept: 'text/html' })
    assert.equal(page.status, 200)
    assert.match(page.text, /Ada/)
    assert.doesNotMatch(page.text, /Eve/)
    assert.match(String(csv.headers.link), /rel="alternate"/)
    const twice = await query({ sort: 'name' }, '/customers?sort=-name')
    assert.match(twice.body.detail, /once/)
    assert.equal((await query({}, '/customers', { accept: 'text/event-stream' })).status, 406)
    assert.equal((await query({}, '/customers?dry-run=true')).status, 400)
  })

  test('changes nothing, so another site may send it, and browsers may ask whether they may', async () => {
    const cross = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }
    assert.equal((await query({}, DEALS, cross)).status, 200)
    const preflight = await service.request('OPTIONS', '/customers', {
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'QUERY' },
    })
    assert.match(String(preflight.headers['access-control-allow-methods']), /QUERY/)
    assert.match(String(preflight.headers['access-control-allow-headers']), /Content-Type/)
    const shared = await query({}, '/customers', { origin: 'https://app.example.com' })
    assert.match(String(shared.headers['access-control-expose-headers']), /Accept-Query/)
  })

  test('is for collections alone', async () => {
    const answer = await query({}, '/customers/1')
    assert.equal(answer.status, 405)
    assert.doesNotMatch(String(answer.headers.allow), /QUERY/)
  })
})
