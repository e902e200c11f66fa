import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { PostgrestClient } from '@supabase/postgrest-js'
import { bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import { type Answered, runService } from '../support/service/running-service.ts'

let service: ClosedService
let client: PostgrestClient

/** Customers whose ages have gaps and ties. */
const people = [
  { name: 'Ana', age: 41, country: 'ES' },
  { name: 'Ben', age: null, country: 'DE' },
  { name: 'Cem', age: 17, country: null },
  { name: 'Dora', age: 41, country: 'DE' },
  { name: 'Ed*', age: null, country: null },
]

before(async () => {
  service = await runClosedService()
  client = clientOf(service.keys.admin)
  const { error } = await client.from('customers').insert(people)
  assert.equal(error, null)
})
after(() => service.close())

const clientOf = (key: string, headers: { readonly [name: string]: string } = {}) =>
  new PostgrestClient(`${service.url}/postgrest`, { headers: { ...bearer(key), ...headers } })

const ask = (
  method: string,
  path: string,
  headers: { readonly [name: string]: string } = {},
  body?: unknown,
): Promise<Answered> =>
  service.request(method, `/postgrest/${path}`, { headers: { ...bearer(service.keys.admin), ...headers }, body })

async function namesOf(query: string): Promise<readonly string[]> {
  const { status, text } = await ask('GET', `customers?select=name&name=in.(Ana,Ben,Cem,Dora,"Ed*")&${query}`)
  assert.equal(status, 200, text)
  return (JSON.parse(text) as { readonly name: string }[]).map(({ name }) => name)
}

async function createDeal(name: string, more: object = {}) {
  const { data, error } = await client
    .from('deals')
    .insert({ name, price: 100, ...more })
    .select()
    .single()
  assert.equal(error, null)
  return data as { readonly id: string; readonly revision: number; readonly name: string }
}

const refusal = async (path: string, method = 'GET', headers = {}, body?: unknown) => {
  const { status, text } = await ask(method, path, headers, body)
  const { problem, ...error } = JSON.parse(text)
  assert.deepEqual(Object.keys(error), ['code', 'message', 'details', 'hint'])
  return { status, problem, ...error }
}

test('the description of the tables knows no parameters', async () => {
  assert.equal((await ask('GET', '')).status, 200)
  const { status, message } = await refusal('?nope=1')
  assert.deepEqual([status, message], [400, 'nope is not known here'])
})

test('another schema than the one there is, is refused', async () => {
  for (const [method, name] of [
    ['GET', 'accept-profile'],
    ['POST', 'content-profile'],
  ] as const) {
    const { status, text } = await ask(method, 'customers', { [name]: 'private' }, method === 'GET' ? undefined : {})
    assert.deepEqual([status, JSON.parse(text).code], [406, 'PGRST106'])
  }
  assert.equal((await ask('GET', 'customers?limit=1', { 'accept-profile': 'public' })).status, 200)
})

test('a client lists with a filter to the end, reads, inserts, updates, deletes and calls an operation', async () => {
  const names = ['Alpha roof', 'Beta roof', 'Gamma roof']
  await client.from('deals').insert([...names, 'Delta shed'].map((name) => ({ name, price: 10 })))
  const seen: string[] = []
  for (let from = 0; ; from += 2) {
    const page = client.from('deals').select('id,name', { count: 'exact' }).ilike('name', '*ROOF').order('name')
    const { data, count, status } = await page.range(from, from + 1)
    assert.equal(count, 3)
    assert.equal(status, 206)
    seen.push(...(data ?? []).map(({ name }) => name as string))
    if (seen.length >= (count ?? 0)) break
  }
  assert.deepEqual(seen, names)

  const { id } = await createDeal('Bridge')
  const read = await client.from('deals').select('id,title:name,held').eq('id', id).single()
  assert.deepEqual(read.data, { id, title: 'Bridge', held: false })
  const updated = await client.from('deals').update({ name: 'Bridges' }).eq('id', id).select('name')
  assert.deepEqual(updated.data, [{ name: 'Bridges' }])
  const held = await client.rpc('hold_deal', { id, reason: 'credit check' })
  assert.equal(held.data.held, true)
  const refused = await client.rpc('complete_deal', { id })
  assert.equal(refused.status, 409)
  assert.equal(refused.error?.code, 'wrong-state')
  assert.match(refused.error?.message ?? '', /^complete is not allowed: /)
  const deleted = await client.from('deals').delete({ count: 'exact' }).eq('id', id)
  assert.deepEqual([deleted.status, deleted.count], [204, 1])
  assert.deepEqual((await client.from('deals').select().eq('id', id)).data, [])
  const head = await client.from('deals').select('*', { count: 'exact', head: true }).ilike('name', '%roof')
  assert.deepEqual([head.data, head.count], [null, 3])
})

test('a stale version is refused, by a tag or by a filter', async () => {
  const { id } = await createDeal('Versions')
  const { headers } = await ask('GET', `deals?id=eq.${id}`, { accept: 'application/vnd.pgrst.object+json' })
  const tag = String(headers.etag)
  const change = (name: string, as: string) =>
    clientOf(service.keys.admin, { 'If-Match': as }).from('deals').update({ name }).eq('id', id).select().single()
  const fresh = await change('First', tag)
  assert.equal(fresh.data?.revision, 2)
  const stale = await change('Second', tag)
  assert.deepEqual([stale.status, stale.error?.code], [412, 'stale-revision'])
  const called = await clientOf(service.keys.admin, { 'If-Match': tag }).rpc('hold_deal', { id, reason: 'x' })
  assert.equal(called.error?.code, 'stale-revision')
  const current = (await ask('GET', `deals?id=eq.${id}`, { accept: 'application/vnd.pgrst.object+json' })).headers.etag
  for (const [method, path, body] of [
    ['PATCH', `deals?id=eq.${id}`, { name: 'Second' }],
    ['DELETE', `deals?id=eq.${id}`, undefined],
    ['POST', 'rpc/hold_deal', { id, reason: 'x' }],
  ] as const) {
    const { status, headers } = await ask(method, path, { 'if-match': tag }, body)
    assert.deepEqual([status, headers.etag], [412, current], method)
  }
  await createDeal('First')
  const many = await ask('PATCH', 'deals?name=eq.First', { 'if-match': tag }, { price: 1 })
  assert.deepEqual([many.status, many.headers.etag], [412, undefined], 'no tag stands for many')
  const filtered = await client.from('deals').update({ name: 'Third' }).eq('id', id).eq('revision', 1).select()
  assert.deepEqual([filtered.status, filtered.data], [200, []])
  const held = { accept: 'application/vnd.pgrst.object+json', 'if-none-match': tag }
  assert.equal((await ask('GET', `deals?id=eq.${id}`, held)).status, 200)
  assert.equal((await client.from('deals').select('name').eq('id', id).single()).data?.name, 'First')
})

test('a date guards updates and deletes as it does in REST', async () => {
  const [{ id }, other] = [await createDeal('Dated'), await createDeal('Dated')]
  const past = { 'if-unmodified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' }
  const future = { 'if-unmodified-since': 'Tue, 01 Jan 2999 00:00:00 GMT' }
  for (const filter of [`id=eq.${id}`, 'name=eq.Dated']) {
    for (const [method, body] of [
      ['PATCH', { price: 7 }],
      ['DELETE', undefined],
    ] as const) {
      const { status, code } = await refusal(`deals?${filter}`, method, past, body)
      assert.deepEqual([status, code], [412, 'stale-revision'])
    }
  }
  const kept = await client.from('deals').select('revision').in('id', [id, other.id])
  assert.deepEqual(kept.data, [{ revision: 1 }, { revision: 1 }])
  assert.equal((await ask('PATCH', 'deals?name=eq.Dated', future, { price: 7 })).status, 204)
  assert.equal((await ask('DELETE', 'deals?name=eq.Dated', future)).status, 204)
})

test('a function heeds preconditions beside an expected revision, which must hold too', async () => {
  const { id, revision } = await createDeal('Both')
  const call = (headers: { readonly [name: string]: string }, expectedRevision: number | null) =>
    refusal('rpc/hold_deal', 'POST', headers, { id, reason: 'x', expectedRevision })
  for (const headers of [
    { 'if-match': '"x"' },
    { 'if-none-match': '*' },
    { 'if-unmodified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' },
  ]) {
    assert.equal((await call(headers, revision)).status, 412)
    assert.equal((await call(headers, null)).status, 412)
  }
  assert.equal((await call({ 'if-match': '*' }, revision + 1)).status, 412)
  const held = await ask('POST', 'rpc/hold_deal', { 'if-match': '*' }, { id, reason: 'x', expectedRevision: revision })
  assert.equal(held.status, 200, held.text)
})

suite('null is as in SQL', () => {
  test('a comparison with null is neither true nor false', async () => {
    const named = async (query: string) => (await namesOf(`${query}&order=name`)).join()
    assert.equal(await named('age=neq.41'), 'Cem')
    assert.equal(await named('age=not.eq.41'), 'Cem')
    assert.equal(await named('age=not.in.(17)'), 'Ana,Dora')
    assert.equal(await named('age=not.gt.20'), 'Cem')
    assert.equal(await named('not.and=(age.gt.20,country.eq.DE)'), 'Ana,Cem')
    assert.equal(await named('not.or=(age.lt.20,country.eq.ES)'), 'Dora')
    assert.equal(await named('or=(age.is.null,not.and(age.gt.20,country.eq.DE))'), 'Ana,Ben,Cem,Ed*')
    assert.equal(await named('country=not.like.D*'), 'Ana')
    assert.equal(await named('age=isdistinct.41'), 'Ben,Cem,Ed*')
    assert.equal(await named('age=not.isdistinct.41'), 'Ana,Dora')
    assert.equal(await named('age=is.null'), 'Ben,Ed*')
    assert.equal(await named('age=not.is.null'), 'Ana,Cem,Dora')
  })

  test('its place in an order is last, or first in a descending one, and pages keep to it', async () => {
    const orders = {
      'age.asc,name': ['Cem', 'Ana', 'Dora', 'Ben', 'Ed*'],
      'age.desc,name': ['Ben', 'Ed*', 'Ana', 'Dora', 'Cem'],
      'age.nullsfirst,name': ['Ben', 'Ed*', 'Cem', 'Ana', 'Dora'],
      'age.desc.nullslast,name.desc': ['Dora', 'Ana', 'Cem', 'Ed*', 'Ben'],
      'country.desc,age.desc': ['Ed*', 'Cem', 'Ana', 'Ben', 'Dora'],
      'country,age.desc.nullslast': ['Dora', 'Ben', 'Ana', 'Cem', 'Ed*'],
      'age.desc.nullslast': ['Dora', 'Ana', 'Cem', 'Ed*', 'Ben'],
    }
    for (const [order, expected] of Object.entries(orders)) {
      assert.deepEqual(await namesOf(`order=${order}`), expected, order)
      const paged: string[] = []
      for (let offset = 0; offset < people.length; offset += 2)
        paged.push(...(await namesOf(`order=${order}&limit=2&offset=${offset}`)))
      assert.deepEqual(paged, expected, order)
    }
  })
})

test('operators mean what PostgREST means', async () => {
  const named = async (query: string) => (await namesOf(`${query}&order=name`)).join()
  assert.equal(await named('age=gte.17&age=gte.41'), 'Ana,Dora', 'several filters on a column all hold')
  assert.equal(await named('name=eq.Ana&name=eq.Ben'), '')
  assert.equal(await named('name=like.*a'), 'Ana,Dora')
  assert.equal(await named('name=like.a*'), '')
  assert.equal(await named('name=ilike.a*'), 'Ana')
  assert.equal(await named('name=like(any).{A*,B*}'), 'Ana,Ben')
  assert.equal(await named('name=like(all).{A*,*a}'), 'Ana')
  assert.equal(await named('name=not.like(any).{A*,B*}'), 'Cem,Dora,Ed*')
  assert.equal(await named('age=eq(any).{17,41}'), 'Ana,Cem,Dora')
  assert.equal(await named('name=match.^[AB]'), 'Ana,Ben')
  assert.equal(await named('name=imatch.^[ab]'), 'Ana,Ben')
  assert.equal(await named('name=in.("Ed*",Ana)'), 'Ana,Ed*')
  assert.equal(await named('or=(age.lt.18,and(country.eq.DE,age.is.null))'), 'Ben,Cem')
  assert.equal(await named('age=in.()'), '')
  assert.equal(await named('age=not.in.()'), 'Ana,Ben,Cem,Dora,Ed*')
  const { data } = await client.from('customers').select('name').likeAnyOf('name', ['A%', 'C%']).order('name')
  assert.deepEqual(data, [{ name: 'Ana' }, { name: 'Cem' }])
})

test('what a row refers to is embedded, and what refers to it', async () => {
  const { data: made } = await client.from('customers').insert({ name: 'Embedded', country: 'FR' }).select().single()
  const deals = [await createDeal('E1', { customerId: made.id }), await createDeal('E2', { customerId: made.id })]
  const [first, second] = deals.map(({ id }) => id)
  const none = await createDeal('E3')
  const read = async (path: string) => JSON.parse((await ask('GET', path)).text)
  assert.deepEqual(await read(`deals?select=name,customer(id,name)&id=eq.${first}`), [
    { name: 'E1', customer: { id: made.id, name: 'Embedded' } },
  ])
  assert.deepEqual(await read(`deals?select=who:customers!customerId(land:country)&id=eq.${first}`), [
    { who: { land: 'FR' } },
  ])
  assert.deepEqual(
    await read(`deals?select=name,...customer(customerName:name)&id=in.(${first},${none.id})&order=name`),
    [
      { name: 'E1', customerName: 'Embedded' },
      { name: 'E3', customerName: null },
    ],
  )
  const [{ deals: shown, ...whole }] = await read(`customers?select=*,deals(*)&id=eq.${made.id}`)
  assert.deepEqual(whole, made)
  assert.deepEqual(shown.map(({ id }: { id: string }) => id).sort(), [first, second].sort())
  assert.equal((await read(`customers?select=deals(id)&deals.limit=1&id=eq.${made.id}`))[0].deals.length, 1)
  const inner = `deals?select=name,customer!inner(name)&customer.country=eq.FR&name=like.E*&order=name`
  assert.deepEqual(
    (await read(inner)).map(({ name }: { name: string }) => name),
    ['E1', 'E2'],
  )
  assert.deepEqual((await client.from('deals').select('customer(*)').eq('id', none.id)).data, [{ customer: null }])
  for (const filter of ['customer()', 'customer!inner()&customer.country=eq.FR', 'tasks()', '...customer()']) {
    assert.deepEqual(await read(`deals?id=eq.${first}&select=name,${filter}`), [{ name: 'E1' }], filter)
  }
  assert.equal((await client.from('deals').select('name,customer()').eq('id', first).csv()).data, 'name\r\nE1\r\n')
  const written = await client
    .from('deals')
    .insert({ name: 'E4', price: 1, customerId: made.id })
    .select('customer(name)')
  assert.deepEqual(written.data, [{ customer: { name: 'Embedded' } }])
  const [{ name: shownTwice }] = await read(`deals?select=*,name&id=eq.${first}`)
  assert.equal(shownTwice, 'E1')
  assert.deepEqual(await read(`deals?id=eq.${first}&select=price::text,name`), [{ price: '100', name: 'E1' }])
  for (const select of [
    'custmer(name)',
    'nam',
    'price::int',
    'price.sum()',
    'customer(deals(customer(deals(customer(id)))))',
    'name,',
    'a:name,b:name',
    'price:name,price',
    '*,price:name',
    'name,...customer(name)',
    'customer:name,customer(name)',
    '...tasks(id)',
  ]) {
    const { status, code, problem } = await refusal(`deals?select=${select}`)
    assert.deepEqual([status, code, problem.code], [400, 'PGRST100', 'invalid-parameter'], select)
  }
})

test('embedded things are filtered, ordered and limited, at every level', async () => {
  const people = ['Nest 1', 'Nest 2', 'Nest 3'].map((name) => ({ name, country: name.endsWith('1') ? 'FR' : 'DE' }))
  const { data: made } = await client.from('customers').insert(people).select('id,name')
  const ids = (made as readonly { id: number }[]).map(({ id }) => id)
  for (const price of [1, 2, 3]) await createDeal(`N${price}`, { price, customerId: ids[0] })
  const { id } = await createDeal('N4', { price: 4, customerId: ids[1] })
  await client.from('tasks').insert({ title: 'Call', dealId: id })
  const customers = client.from('customers')
  const some = (select: string) => customers.select(select).like('name', 'Nest*').order('name')
  const told = async (query: PromiseLike<{ error: unknown; data: unknown }>) => {
    const { error, data } = await query
    assert.equal(error, null)
    return data
  }
  assert.deepEqual(
    await told(
      some('name,deals(price)').gt('deals.price', 1).order('price', { referencedTable: 'deals', ascending: false }),
    ),
    [
      { name: 'Nest 1', deals: [{ price: 3 }, { price: 2 }] },
      { name: 'Nest 2', deals: [{ price: 4 }] },
      { name: 'Nest 3', deals: [] },
    ],
  )
  const page = some('deals(price)').order('price', { referencedTable: 'deals' })
  assert.deepEqual(await told(page.range(1, 1, { referencedTable: 'deals' })), [
    { deals: [{ price: 2 }] },
    { deals: [] },
    { deals: [] },
  ])
  const either = some('name,deals!inner(name)').or('price.eq.3,name.eq.N4', { referencedTable: 'deals' })
  assert.deepEqual(await told(either), [
    { name: 'Nest 1', deals: [{ name: 'N3' }] },
    { name: 'Nest 2', deals: [{ name: 'N4' }] },
  ])
  assert.deepEqual(await told(some('name,deals!inner()').eq('deals.price', 99)), [])
  const deep = 'name,deals!inner(name,tasks!inner(title),customer(name,deals(price)))'
  assert.deepEqual(await told(some(deep).eq('deals.tasks.title', 'Call')), [
    {
      name: 'Nest 2',
      deals: [{ name: 'N4', tasks: [{ title: 'Call' }], customer: { name: 'Nest 2', deals: [{ price: 4 }] } }],
    },
  ])
  const deals = client.from('deals').select('name,customer(name)').like('name', 'N_').order('name')
  assert.deepEqual(
    ((await told(deals.eq('customer.country', 'FR'))) as readonly { customer: unknown }[]).map((each) => each.customer),
    [{ name: 'Nest 1' }, { name: 'Nest 1' }, { name: 'Nest 1' }, null],
  )
  const negated = client.from('deals').select('name,customer!inner(name)').like('name', 'N_')
  assert.deepEqual(await told(negated.not('customer.country', 'eq', 'FR')), [
    { name: 'N4', customer: { name: 'Nest 2' } },
  ])
  for (const query of [
    'customers?select=deals(id)&deals.prize=eq.1',
    'customers?select=deals(id)&deals.order=prize',
    'customers?select=deals(id)&deals.limit=x',
    'customers?select=deals(id)&deals.or=(prize.eq.1)',
    'customers?select=deals(id)&tasks.limit=1',
    'deals?select=customer(id)&customer.limit=1',
  ])
    assert.equal((await refusal(query)).code, 'PGRST100', query)
})

test('a range is part of a list', async () => {
  const list = 'customers?select=name&name=in.(Ana,Ben,Cem,Dora)&order=name'
  const ranged = async (range: string, prefer = 'count=exact') => {
    const { status, headers, text } = await ask('GET', list, { range, 'range-unit': 'items', prefer })
    return [status, headers['content-range'], JSON.parse(text).length]
  }
  assert.deepEqual(await ranged('1-2'), [206, '1-2/4', 2])
  assert.deepEqual(await ranged('0-9'), [200, '0-3/4', 4])
  assert.deepEqual(await ranged('2-', 'count=planned'), [206, '2-3/4', 2])
  assert.deepEqual(await ranged('1-2', ''), [200, '1-2/*', 2])
  assert.deepEqual(await ranged('4-5'), [206, '*/4', 0])
  assert.deepEqual(await ranged('nonsense'), [200, '0-3/4', 4])
  const behind = await ask('GET', list, { range: '5-9', prefer: 'count=exact' })
  assert.deepEqual([behind.status, behind.headers['content-range'], behind.body.code], [416, '*/4', 'PGRST103'])
  assert.equal((await ask('GET', list, { range: '3-1' })).status, 416)
  const both = await ask('GET', `${list}&limit=3&offset=1`, { range: '2-9' })
  assert.deepEqual(both.body, [{ name: 'Cem' }, { name: 'Dora' }])
  assert.deepEqual((await ask('GET', `${list}&limit=0`)).body, [])
  const head = await ask('HEAD', list, { prefer: 'count=exact' })
  assert.deepEqual([head.status, head.headers['content-range'], head.text], [200, '0-3/4', ''])
})

test('one row is an object, a table is CSV', async () => {
  const object = { accept: 'application/vnd.pgrst.object+json' }
  const none = await refusal('customers?id=eq.999999', 'GET', object)
  assert.deepEqual([none.status, none.code, none.details], [406, 'PGRST116', 'The result contains 0 rows'])
  assert.equal((await refusal('customers', 'GET', object)).code, 'PGRST116')
  assert.equal((await client.from('customers').select().eq('id', 999_999).maybeSingle()).data, null)
  const { data } = await client.from('customers').select('n:name,age').in('name', ['Ana', 'Ben']).order('name').csv()
  assert.equal(data, 'n,age\r\nAna,41\r\nBen,\r\n')
  const stripped = await ask('GET', 'customers?select=name,age&name=eq.Ben', {
    accept: 'application/vnd.pgrst.array+json;nulls=stripped',
  })
  assert.deepEqual(stripped.body, [{ name: 'Ben' }])
  const xml = await refusal('customers', 'GET', { accept: 'text/xml' })
  assert.deepEqual([xml.status, xml.code], [406, 'PGRST107'])
  const { id } = await createDeal('One')
  await createDeal('One')
  const both = await refusal(
    'deals?name=eq.One',
    'PATCH',
    { ...object, prefer: 'return=representation' },
    { name: 'Two' },
  )
  assert.equal(both.code, 'PGRST116')
  assert.equal((await client.from('deals').select('revision').eq('id', id).single()).data?.revision, 1)
})

test('an object has a tag only where its id is asked for: another one may be first next time', async () => {
  const object = { accept: 'application/vnd.pgrst.object+json' }
  await client.from('customers').insert([{ name: 'Same 1' }, { name: 'Same 2' }])
  const first = 'customers?name=like.Same*&order=id.asc&limit=1'
  const one = await ask('GET', first, object)
  assert.equal(one.headers.etag, undefined)
  const { id } = JSON.parse(one.text)
  const { etag } = (await ask('GET', `customers?id=eq.${id}&name=like.Same*`, object)).headers
  await client.from('customers').delete().eq('id', id)
  const other = await ask('GET', first, { ...object, 'if-none-match': String(etag) })
  assert.deepEqual([other.status, JSON.parse(other.text).name], [200, 'Same 2'])
})

suite('rows are written', () => {
  test('one or many, all or none, with what is preferred', async () => {
    const minimal = await client.from('customers').insert({ name: 'Minimal' })
    assert.deepEqual([minimal.status, minimal.data], [201, null])
    const { headers } = await ask('POST', 'customers', { prefer: 'return=headers-only' }, { name: 'Located' })
    assert.match(String(headers.location), /^\/postgrest\/customers\?id=eq\.\d+$/)
    assert.equal(headers['preference-applied'], 'return=headers-only')
    const rows = [{ name: 'Full', age: 3 }, { name: 'Sparse' }]
    const nulls = await client.from('customers').insert(rows).select('name,age')
    assert.deepEqual(nulls.data, [rows[0], { name: 'Sparse', age: null }])
    const defaults = [
      { name: 'D1', price: 1 },
      { name: 'D2', price: 1, stage: 'proposal' },
    ]
    const kept = await client.from('deals').insert(defaults, { defaultToNull: false }).select('name,stage')
    assert.deepEqual(
      kept.data?.map(({ stage }) => stage),
      ['lead', 'proposal'],
    )
    const uneven = await refusal('customers', 'POST', {}, rows)
    assert.deepEqual([uneven.status, uneven.code], [400, 'PGRST102'])
    const bad = await refusal('customers', 'POST', {}, [{ name: 'Good' }, { name: '' }])
    assert.equal(bad.status, 422)
    assert.equal(bad.code, 'invalid-body')
    assert.equal(bad.problem.errors[0].pointer, '/1/name')
    assert.deepEqual((await client.from('customers').select().eq('name', 'Good')).data, [])
    const unknown = await refusal('customers', 'POST', {}, { nam: 'x' })
    assert.match(unknown.message, /nam .*did you mean name\?/)
    assert.deepEqual((await client.from('customers').insert([]).select()).data, [])
  })

  test('what was made and where the tables are is under BASE_URL', async () => {
    const based = await runService({ BASE_URL: 'http://desk.example/pfx' })
    const { headers } = await based.request('POST', '/postgrest/customers', {
      headers: { prefer: 'return=headers-only' },
      body: { name: 'Located' },
    })
    assert.equal(headers.location, 'http://desk.example/pfx/postgrest/customers?id=eq.1')
    const description = await based.request('GET', '/postgrest/')
    assert.deepEqual(JSON.parse(description.text).servers, [{ url: 'http://desk.example/pfx/postgrest' }])
    await based.close()
  })

  test('more than a creation takes comes with it', async () => {
    const { data } = await client.from('deals').insert({ name: 'Held', price: 1, held: true, holdReason: 'x' }).select()
    assert.partialDeepStrictEqual(data, [{ held: true, holdReason: 'x', revision: 2 }])
    const wrong = await refusal('deals', 'POST', {}, { name: 'Id', price: 1, id: randomUUID() })
    assert.equal(wrong.status, 422)
  })

  test('a row without added fields goes beside one with them', async () => {
    const field = await service.request('POST', '/fields', {
      headers: bearer(service.keys.admin),
      body: { on: 'deal', name: 'branch', title: 'Branch', kind: 'text' },
    })
    assert.equal(field.status, 201, field.text)
    const rows = [
      { name: 'With', price: 1, own: { branch: 'x' } },
      { name: 'Without', price: 1 },
    ]
    const { data, error } = await client.from('deals').insert(rows).select('name,own')
    assert.equal(error, null)
    assert.deepEqual(data, [
      { name: 'With', own: { branch: 'x' } },
      { name: 'Without', own: { branch: null } },
    ])
    const { status } = await client.from('deals').insert({ name: 'Null', price: 1, own: null })
    assert.equal(status, 201)
    const wrong = await refusal('deals', 'POST', {}, { name: 'Text', price: 1, own: 'x' })
    assert.equal(wrong.status, 422)
  })

  test('never without a filter, and never more than 1,000', async () => {
    for (const method of ['PATCH', 'DELETE']) {
      const { status, code } = await refusal('deals', method, {}, method === 'PATCH' ? { name: 'x' } : undefined)
      assert.deepEqual([status, code], [400, '21000'])
    }
    const limited = await refusal('deals?limit=1', 'DELETE')
    assert.match(limited.message, /limit has no meaning here/)
    const many = Array.from({ length: 1001 }, (_, at) => ({ name: `Many ${at}` }))
    assert.equal((await refusal('customers', 'POST', {}, many)).code, 'PGRST124')
    assert.equal((await client.from('customers').insert(many.slice(1))).status, 201)
    await client.from('customers').insert(many.slice(0, 1))
    const all = await refusal('customers?name=like.Many%20*', 'DELETE')
    assert.deepEqual([all.status, all.code], [400, 'PGRST124'])
    const listed = await ask('GET', 'customers?select=id', { prefer: 'count=exact' })
    assert.equal(JSON.parse(listed.text).length, 1000, 'so many rows are listed at once')
    assert.equal(listed.status, 206)
    const strict = { prefer: 'handling=strict, max-affected=10' }
    assert.equal((await refusal('customers?name=like.Many%201*', 'DELETE', strict)).code, 'PGRST124')
    const gone = await client.from('customers').delete({ count: 'exact' }).like('name', 'Many %').neq('name', 'Many 0')
    assert.equal(gone.count, 1000)
  })

  test('of many rows one refusal refuses all', async () => {
    const [one, other] = [await createDeal('Pair'), await createDeal('Pair')]
    await client.rpc('cancel_deal', { id: other.id, reason: 'x' })
    const refused = await client.from('deals').update({ held: true, holdReason: 'x' }).eq('name', 'Pair')
    assert.equal(refused.status, 409)
    assert.match(refused.error?.message ?? '', /[^.]\. Nothing was done: 1 of 2 rows is refused\.$/)
    const wrong = await client.from('deals').insert([
      { name: 'Good', price: 1 },
      { name: 'Wrong', price: -1 },
    ])
    assert.match(
      wrong.error?.message ?? '',
      /^price must be between .*[^.]\. Nothing was done: 1 of 2 rows is refused\.$/,
    )
    assert.equal((await client.from('deals').select('held').eq('id', one.id).single()).data?.held, false)
    const nobody = await client.from('deals').update({ name: 'x' }).eq('name', 'Nobody').select()
    assert.deepEqual([nobody.status, nobody.data], [200, []])
  })

  test('preferences are followed, or refused if they must be', async () => {
    const rolled = await ask('POST', 'customers', { prefer: 'tx=rollback, return=representation' }, { name: 'Gone' })
    assert.equal(rolled.status, 201)
    assert.equal(rolled.headers['preference-applied'], 'tx=rollback, return=representation')
    assert.deepEqual((await client.from('customers').select().eq('name', 'Gone')).data, [])
    for (const prefer of ['TX=rollback', 'tx=rollback;now', 'tx="rollback"']) {
      await ask('POST', 'customers', { prefer }, { name: 'Gone' })
    }
    assert.deepEqual((await client.from('customers').select().eq('name', 'Gone')).data, [])
    const misspelt = await refusal('customers', 'POST', { prefer: 'tx=rolback' }, { name: 'Gone' })
    assert.deepEqual([misspelt.status, misspelt.code], [400, 'PGRST122'])
    const strict = await refusal('customers', 'GET', { prefer: 'handling=strict, foo=1' })
    assert.deepEqual([strict.status, strict.code, strict.details], [400, 'PGRST122', 'Invalid preferences: foo=1'])
    assert.equal((await ask('GET', 'customers?limit=1', { prefer: 'foo=1' })).status, 200)
    const resolved = await refusal('customers', 'POST', { prefer: 'resolution=x' }, { name: 'Up' })
    assert.deepEqual([resolved.status, resolved.code], [400, 'PGRST122'])
  })

  test('a row that is not kept has no id, and no tag', async () => {
    const rolled = { prefer: 'tx=rollback, return=representation' }
    const one = await ask('POST', 'customers?select=*,deals(name)', rolled, { name: 'Gone' })
    const many = await ask('POST', 'customers', rolled, [{ name: 'Gone' }, { name: 'Gone' }])
    for (const row of [...JSON.parse(one.text), ...JSON.parse(many.text)]) {
      assert.equal(row.name, 'Gone')
      assert.equal('id' in row, false)
    }
    assert.equal((await ask('POST', 'customers?select=id', rolled, { name: 'Gone' })).text, '[{"id":null}]')
    for (const [headers, dryRun] of [
      [rolled, {}],
      [{}, { dryRun: true }],
    ] as const) {
      const called = await ask('POST', 'rpc/create_deal', headers, { name: 'Gone', price: 1, ...dryRun })
      assert.equal(called.status, 200, called.text)
      assert.equal(JSON.parse(called.text).name, 'Gone')
      assert.equal('id' in JSON.parse(called.text), false)
      assert.equal(called.headers.etag, undefined)
    }
    const { id } = await createDeal('Kept')
    const renamed = await ask('PATCH', `deals?id=eq.${id}`, rolled, { name: 'Gone' })
    assert.equal(JSON.parse(renamed.text)[0].id, id)
  })

  test('only what is followed is said to be', async () => {
    const { id } = await createDeal('Quiet')
    const asked = { Prefer: 'return=minimal, count=exact, missing=default' }
    const noted = await ask('POST', 'rpc/add_deal_note', asked, { id, text: 'Called' })
    assert.deepEqual([noted.status, noted.text, noted.headers['preference-applied']], [204, '', 'return=minimal'])
    const read = await ask('GET', `deals?id=eq.${id}`, asked)
    assert.deepEqual([JSON.parse(read.text)[0].revision, read.headers['preference-applied']], [2, 'count=exact'])
  })

  test('a key is decided once', async () => {
    const keyed = clientOf(service.keys.admin, { 'Idempotency-Key': randomUUID() })
    const twice = [1, 2].map(() => keyed.from('customers').insert({ name: 'Once' }).select().single())
    const [first, second] = await Promise.all(twice)
    assert.deepEqual(first?.data, second?.data)
    const { id } = await createDeal('Once')
    const paying = clientOf(service.keys.admin, { 'Idempotency-Key': randomUUID() })
    await paying.rpc('record_deal_payment', { id, amount: 10 })
    assert.equal((await paying.rpc('record_deal_payment', { id, amount: 10 })).data.revision, 2)
    const other = await paying.rpc('record_deal_payment', { id, amount: 11 })
    assert.deepEqual([other.status, other.error?.code], [422, 'idempotency-key-reused'])
    const key: string = randomUUID()
    const send = (path: string, body: unknown, idempotencyKey = key) =>
      refusal(path, 'POST', { 'idempotency-key': idempotencyKey }, body)
    assert.equal((await ask('POST', 'customers', { 'idempotency-key': `${key}.0` }, { name: 'Once' })).status, 201)
    for (const body of [[{ name: 'Twice' }], [{ name: 'Twice' }, { name: 'Once' }]]) {
      const { status, code } = await send('customers', body)
      assert.deepEqual([status, code], [422, 'idempotency-key-reused'])
      assert.equal((await send('customers', body, 'k'.repeat(128))).status, 400)
    }
    const held = { name: 'Once', price: 1, held: true, holdReason: 'Credit check' }
    assert.equal((await ask('POST', 'deals', { 'idempotency-key': key }, held)).status, 201)
    for (const body of [
      { ...held, holdReason: 'Vacation' },
      { name: 'Once', price: 1 },
    ]) {
      const { status, code } = await send('deals', body)
      assert.deepEqual([status, code], [422, 'idempotency-key-reused'])
    }
    const again = await ask('POST', 'deals', { 'idempotency-key': key }, held)
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true'])
    const named = { id, amount: 1, commandId: `${key}.0` }
    const two = await send('rpc/record_deal_payment', named)
    assert.deepEqual([two.status, two.problem.errors[0].header], [400, 'Idempotency-Key'])
    assert.equal((await refusal('rpc/record_deal_payment', 'POST', {}, named)).code, 'command-id-reused')
    const same = { id, amount: 1, commandId: randomUUID() }
    for (const replayed of [undefined, 'true']) {
      const paid = await ask('POST', 'rpc/record_deal_payment', { 'idempotency-key': same.commandId }, same)
      assert.deepEqual([paid.status, paid.headers['idempotent-replayed']], [200, replayed])
    }
  })

  test('a repeat says so, and has no tag of what may have changed since', async () => {
    const { id } = await createDeal('Again')
    const whole = { prefer: 'return=representation', accept: 'application/vnd.pgrst.object+json' }
    for (const [method, path, headers, body] of [
      ['POST', 'customers', {}, { name: 'Again' }],
      ['POST', 'customers', whole, { name: 'Again' }],
      ['POST', 'customers', {}, [{ name: 'Again' }, { name: 'Again' }]],
      ['PATCH', `deals?id=eq.${id}`, whole, { description: 'x' }],
      ['POST', 'rpc/record_deal_payment', whole, { id, amount: 1 }],
    ] as const) {
      const send = () => ask(method, path, { ...headers, 'idempotency-key': key }, body)
      const key = randomUUID()
      const [first, again] = [await send(), await send()]
      assert.ok(first.status < 300, first.text)
      assert.deepEqual([again.status, again.text], [first.status, first.text])
      assert.deepEqual(
        [first, again].map((each) => each.headers['idempotent-replayed']),
        [undefined, 'true'],
      )
      assert.deepEqual(
        [first, again].map((each) => each.headers.etag !== undefined),
        [headers === whole, false],
      )
    }
  })

  test('a repeated update or delete is the first one again, whatever its filter would find by now', async () => {
    const whole = { prefer: 'return=representation' }
    const { id } = await createDeal('Repeated')
    const customer = await client.from('customers').insert({ name: 'Repeated' }).select().single()
    const update = `deals?id=eq.${id}`
    for (const [method, path, headers, body] of [
      ['PATCH', update, whole, { price: 7 }],
      ['DELETE', update, {}, undefined],
      ['DELETE', `customers?id=eq.${customer.data.id}`, whole, undefined],
    ] as const) {
      const key = randomUUID()
      const send = () => ask(method, path, { ...headers, 'idempotency-key': key }, body)
      const [first, again] = [await send(), await send()]
      assert.equal(first.status, headers === whole ? 200 : 204)
      assert.deepEqual([again.status, again.text], [first.status, first.text])
      assert.deepEqual(
        [first, again].map((each) => each.headers['idempotent-replayed']),
        [undefined, 'true'],
      )
      if (headers === whole) assert.equal(String(JSON.parse(first.text)[0].id), path.split('eq.')[1])
      assert.equal((await refusal(path, 'PATCH', { 'idempotency-key': key }, { name: 'x' })).status, 422)
    }
    const fresh = () => ({ 'idempotency-key': randomUUID() })
    const gone = await ask('PATCH', update, { ...whole, ...fresh() }, { price: 8 })
    assert.deepEqual([gone.status, gone.text], [200, '[]'])
    const object = { ...whole, accept: 'application/vnd.pgrst.object+json' }
    assert.equal((await refusal(update, 'PATCH', { ...object, ...fresh() }, { price: 8 })).code, 'PGRST116')
    const kept = await createDeal('Filtered')
    for (const filter of ['name=eq.Filtered', `id=eq.${kept.id}&price=eq.100`, `id=in.(${kept.id},${id})`]) {
      const { status, problem } = await refusal(`deals?${filter}`, 'PATCH', fresh(), { price: 8 })
      assert.deepEqual([status, problem.errors[0].header], [400, 'Idempotency-Key'])
    }
    assert.equal((await client.from('deals').select('revision').eq('id', kept.id).single()).data?.revision, 1)
  })

  test('rows that somebody else changes in between are looked for again', async () => {
    const { id } = await createDeal('Race')
    const changes = Array.from({ length: 4 }, (_, at) =>
      client
        .from('deals')
        .update({ description: `by ${at}` })
        .eq('id', id)
        .select()
        .single(),
    )
    for (const { status } of await Promise.all(changes)) assert.equal(status, 200)
    assert.equal((await client.from('deals').select('revision').eq('id', id).single()).data?.revision, 5)
  })
})

test('what cannot be asked is told as PostgREST does', async () => {
  for (const [path, message] of [
    ['customers?agee=gte.18', /agee names no field of customers, did you mean age\?/],
    ['customers?age=18', /age at character 1: expected an operator/],
    ['customers?age=fts.x', /expected an operator, not "fts"/],
    ['customers?age=gte.x', /age at character 5: must be/],
    ['customers?or=(age.gte.1', /expected \)/],
    ['customers?order=agee', /cannot sort by agee, did you mean age\?/],
    ['customers?limit=-1', /limit must be an integer from 0/],
    ['customers?select=deals(id)&deals.limit=1&deals.limit=5', /deals\.limit must be given once/],
    ['customers?limit=1&limit=2', /limit must be given once/],
    ['?x=1', /x is not known here/],
  ] as const) {
    const { status, code, message: told } = await refusal(path)
    assert.deepEqual([status, code], [400, 'PGRST100'], path)
    assert.match(told, message)
  }
  const table = await refusal('custmers')
  assert.deepEqual([table.status, table.code, table.problem.code], [404, 'PGRST205', 'not-found'])
  assert.equal((await refusal('rpc/hodl_deal', 'POST', {}, {})).code, 'PGRST202')
  const wrong = await ask('PUT', 'rpc/hold_deal', {}, {})
  assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'POST, OPTIONS'])
  assert.equal((await refusal('deals', 'POST', {}, '{')).code, 'PGRST102')
  assert.equal((await refusal('rpc/hold_deal', 'POST', {}, '[]')).code, 'PGRST102')
  const typed = await refusal('deals', 'POST', { 'content-type': 'text/xml' }, '<x/>')
  assert.deepEqual([typed.status, typed.code], [415, 'PGRST107'])
  const nobody = await service.request('GET', '/postgrest/deals')
  assert.deepEqual([nobody.status, nobody.body.code], [401, 'PGRST302'])
  assert.equal((await refusal('deals?name=eq.x', 'PATCH', {}, [])).code, 'PGRST102')
})

test('a role that is not enough is PostgreSQL’s code for missing privileges', async () => {
  const { status, error } = await clientOf(service.keys.reader).rpc('create_deal', { name: 'x', price: 1 })
  assert.deepEqual([status, error?.code], [403, '42501'])
})
