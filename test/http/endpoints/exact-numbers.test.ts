import assert from 'node:assert/strict'
import { after, before, suite } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import readWorkbook from 'read-excel-file/node'
import { representations } from '../../../src/representations/representations.ts'
import { testOnEachStore } from '../../support/rooms/each-store.ts'
import { openEventSource } from '../../support/service/event-source.ts'
import { openService, type Shown, type TestService } from '../../support/service/running-service.ts'

// Numbers that a double does not hold, or that a program which knows fifteen digits changes: each has the digits that it
// was given with, wherever it is written.

let service: TestService
before(async () => {
  service = await openService()
  for (const kind of ['number', 'integer']) await made('/fields', { on: 'customer', name: kind, title: kind, kind })
})
after(() => service.close())

async function made(path: string, body: object): Promise<string> {
  const answer = await service.request('POST', path, { body })
  assert.equal(answer.status, 201, answer.text)
  return String(answer.body.id)
}

/** A list as text, without what separates thousands and cells. */
async function listed(query: string, format: string): Promise<string | undefined> {
  const answer = await fetch(`${service.url}/customers?${query}&format=${format}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (answer.status === 406) return undefined
  assert.equal(answer.status, 200, String(bytes))
  if (format !== 'xlsx') return String(bytes).replaceAll(/(?<=\d),(?=\d{3})/g, '')
  const [sheet] = (await readWorkbook(bytes)) as unknown as readonly [
    { readonly data: readonly (readonly unknown[])[] },
  ]
  return sheet.data.map((row) => row.join()).join('\n')
}

suite('sums have every digit', () => {
  testOnEachStore('in every representation', async () => {
    const own = { integer: 9_007_199_254_740_991, number: 8_589_934_591.999999 }
    for (const _ of [1, 2, 3]) await made('/customers', { name: 'Sum', own })
    for (const { name } of representations) {
      const text = await listed('name=Sum&group=name&measure=sum.own.integer,sum.own.number', name)
      if (text === undefined) continue
      for (const sum of ['27021597764222973', '25769803775.999997']) assert.ok(text.includes(sum), `${name}: ${text}`)
    }
  })
})

suite('an export that is imported again changes nothing', () => {
  testOnEachStore('of numbers with sixteen digits', async () => {
    const own = { integer: -9_007_199_254_740_991, number: 8_589_934_591.999999 }
    const id = await made('/customers', { name: 'Exported', own })
    for (const format of ['xlsx', 'csv']) {
      const file = await fetch(`${service.url}/customers?id=${id}&format=${format}`)
      const type = String(file.headers.get('content-type'))
      const body = Buffer.from(await file.arrayBuffer())
      const sent = await service.request('POST', '/imports?on=customer', { body, headers: { 'content-type': type } })
      const done = await imported(String(sent.headers.location))
      assert.partialDeepStrictEqual(done, { updated: 0, unchanged: 1, rejected: 0 }, format)
    }
    assert.partialDeepStrictEqual((await service.request('GET', `/customers/${id}`)).body, { own, revision: 1 })
  })
})

/** Runs an import, and returns it as it is afterwards. */
async function imported(address: string) {
  const settled = async () => {
    for (;;) {
      const { body } = await service.request('GET', address)
      if (!body.isRunning) return body
      await pause(10)
    }
  }
  const ready = await settled()
  assert.equal(ready.stage, 'ready', JSON.stringify(ready))
  await service.request('POST', `${address}/runs`)
  return settled()
}

/** As a double it is the first of its neighbours. */
const MANY = '8999999999.999997'
const BESIDE = ['8999999999.999996', '8999999999.999998'] as const
const LEAST = '-8589934592.000001'
const INSERTED: readonly string[] = [BESIDE[0], MANY, BESIDE[1], LEAST]

const numbered = (number: string) => ({ own: { number: JSON.rawJSON(number) } })
const answeredBy = async (method: string, path: string, body?: unknown, headers = {}) => {
  const answer = await service.request(method, path, { headers, ...(body !== undefined && { body }) })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer
}
const rpc = (method: string, params: object) => answeredBy('POST', '/rpc', { jsonrpc: '2.0', id: 1, method, params })
const tool = (name: string, args: object) =>
  answeredBy(
    'POST',
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    { accept: 'application/json, text/event-stream' },
  )
const graphql = (query: string, variables = {}) => answeredBy('POST', '/graphql', { query, variables })
const asJsonApi = { 'content-type': 'application/vnd.api+json' }

suite('a number has six decimals however large it is', () => {
  const ids: string[] = []
  before(async () => {
    for (const number of INSERTED) ids.push(await made('/customers', { name: 'Exact', ...numbered(number) }))
  })
  const idOf = (number: string): string => ids[INSERTED.indexOf(number)] ?? ''

  testOnEachStore('and no more', async () => {
    for (const [number, code] of [
      ['8589934592.0000001', 'too-many-decimals'],
      ['9000000000.000001', 'out-of-range'],
      ['-9000000000.000001', 'out-of-range'],
    ] as const) {
      const asJson = await service.request('POST', '/customers', { body: { name: 'No', ...numbered(number) } })
      assert.deepEqual([asJson.status, asJson.body.errors[0]?.code], [422, code], number)
      const body = new URLSearchParams({ name: 'No', 'own.number': number })
      const asForm = await service.request('POST', '/customers', { body })
      assert.deepEqual([asForm.status, asForm.body.errors[0]?.code], [422, code], number)
    }
    const wrong = { name: JSON.rawJSON(MANY), age: JSON.rawJSON(MANY), own: JSON.rawJSON(MANY) }
    const { body } = await service.request('POST', '/customers', { body: wrong })
    assert.deepEqual(
      body.errors.map(({ pointer, code }) => [pointer, code]),
      [
        ['/name', 'type'],
        ['/age', 'type'],
        ['/own', 'type'],
      ],
    )
  })

  testOnEachStore('in every representation', async () => {
    for (const { name } of representations) {
      const text = await listed(`id=${idOf(MANY)}&fields=own.number`, name)
      if (text !== undefined) assert.ok(text.includes(MANY), `${name}: ${text}`)
    }
  })

  testOnEachStore('in filters, sorts and groups', async () => {
    const found = async (query: string) => {
      const { body } = await answeredBy('GET', `/customers?name=Exact&${query}`)
      return (body.items as readonly { readonly id: number }[]).map(({ id }) => String(id))
    }
    const inOrder = [LEAST, BESIDE[0], MANY, BESIDE[1]].map((number) => idOf(number))
    assert.deepEqual(await found(`own.number=${MANY}`), [idOf(MANY)])
    assert.deepEqual(await found(`own.number.gt=${MANY}`), [idOf(BESIDE[1])])
    assert.deepEqual(await found('sort=own.number,id'), inOrder)
    let path: string | undefined = '/customers?name=Exact&sort=own.number,id&limit=1'
    for (let at = 0; path !== undefined; at++) {
      const { items = [], links }: Shown = (await answeredBy('GET', path)).body
      assert.deepEqual(
        items.map((item) => String((item as { readonly id: number }).id)),
        inOrder.slice(at, at + 1),
      )
      path = links.next
    }
    const json = { name: 'Exact', 'own.number': { gte: JSON.rawJSON(MANY), lt: JSON.rawJSON(BESIDE[1]) } }
    const asked = await answeredBy('QUERY', '/customers', { filter: json })
    assert.match(asked.text, new RegExp(`"number":${MANY}`))
    assert.equal(asked.body.items?.length, 1)
    const { text } = await answeredBy('GET', '/customers?name=Exact&group=own.number&measure=count')
    for (const number of [LEAST, MANY, ...BESIDE]) assert.ok(text.includes(`"own.number":${number},"count":1`), text)
    const measured = await answeredBy('GET', '/customers?name=Exact&group=name&measure=min.own.number,max.own.number')
    assert.ok(measured.text.includes(`"min.own.number":${LEAST},"max.own.number":${BESIDE[1]}`), measured.text)
  })

  testOnEachStore('in changes, histories, the past and repeats', async () => {
    const key = { 'idempotency-key': 'exact' }
    const first = await answeredBy('POST', '/customers', { name: 'Past', ...numbered(MANY) }, key)
    const again = await answeredBy('POST', '/customers', { name: 'Past', ...numbered(MANY) }, key)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.text, first.text)
    const other = { body: { name: 'Past', ...numbered(BESIDE[0]) }, headers: key }
    assert.equal((await service.request('POST', '/customers', other)).body.code, 'idempotency-key-reused')
    const self = `/customers/${first.body.id}`
    assert.equal((await answeredBy('PATCH', self, numbered(MANY))).body.revision, 1, 'nothing differs')
    for (const number of BESIDE) await answeredBy('PATCH', self, numbered(number))
    const { text } = await answeredBy('GET', `${self}/history`)
    for (const number of [MANY, ...BESIDE]) assert.ok(text.includes(`{"number":${number}`), text)
    for (const [at, number] of [MANY, ...BESIDE].entries()) {
      const past = await answeredBy('GET', `${self}?revision=${at + 1}`)
      assert.ok(past.text.includes(`"number":${number}`), past.text)
    }
    const events = await answeredBy('GET', `/events?customer=${first.body.id}`)
    assert.ok(events.text.includes(`"number":${MANY}`) && events.text.includes(`"number":${BESIDE[1]}`), events.text)
    const dry = await answeredBy('PATCH', `${self}?dry-run=true`, numbered(MANY))
    assert.ok(dry.text.includes(`"number":${MANY}`), dry.text)
  })

  testOnEachStore('in commands and batches', async () => {
    const params = { name: 'Commanded', ...numbered(MANY) }
    const [dry, kept] = [
      await answeredBy('POST', '/rest/v1/batch?dry-run=true', {
        atomic: true,
        commands: [{ action: 'CreateCustomer', params }],
      }),
      await answeredBy('POST', '/rest/v1/batch', {
        atomic: true,
        commands: [{ id: 'b-1', action: 'CreateCustomer', params }],
      }),
    ]
    for (const { text } of [dry, kept]) assert.ok(text.includes(`"number":${MANY}`), text)
    const command = { action: 'CreateCustomer', params }
    const first = await answeredBy('PUT', '/rest/commands/exact-1', command)
    assert.equal((await answeredBy('PUT', '/rest/commands/exact-1', command)).text, first.text)
    for (const path of ['/rest/commands/exact-1', '/rest/commands?id=exact-1']) {
      const { text } = await answeredBy('GET', path)
      assert.ok(text.includes(`"number":${MANY}`), text)
    }
  })

  testOnEachStore('as what names a thing', async () => {
    const field = { on: 'customer', name: 'code', title: 'Code', kind: 'number', unique: true }
    await made('/fields', field)
    const coded = (code: string) => ({ own: { code: JSON.rawJSON(code) } })
    const at = (code: string) => `/customers/by/own.code/${code}`
    for (const code of [MANY, LEAST]) await answeredBy('PUT', at(code), { name: `Coded ${code}` })
    assert.equal((await answeredBy('GET', at(MANY))).body.name, `Coded ${MANY}`)
    assert.equal((await service.request('GET', at(BESIDE[0]))).status, 404)
    const taken = await service.request('POST', '/customers', { body: { name: 'Taken', ...coded(MANY) } })
    assert.equal(taken.body.code, 'not-unique')
    assert.ok(taken.text.includes(MANY), taken.text)
    await answeredBy('POST', '/customers', { name: 'Free', ...coded(BESIDE[0]) })
    const by = { customer: { 'own.code': JSON.rawJSON(MANY) }, action: 'ChangeCustomer', params: { name: 'Named' } }
    const first = await answeredBy('PUT', '/rest/commands/exact-2', by)
    assert.equal((await answeredBy('PUT', '/rest/commands/exact-2', by)).text, first.text)
    assert.equal((await answeredBy('GET', at(MANY))).body.name, 'Named')
  })

  testOnEachStore('through every door', async () => {
    const id = await made('/customers', { name: 'Doors' })
    const self = `/customers/${id}`
    const now = async (door: string): Promise<void> => {
      const { text } = await answeredBy('GET', self)
      assert.ok(text.includes(`"number":${MANY}`), `${door} ${text}`)
      await answeredBy('PATCH', self, { own: { number: null } })
    }
    const { own } = numbered(MANY)
    const change = {
      rpc: () => rpc('customers.change', { id: Number(id), own }),
      jsonapi: () =>
        answeredBy(
          'PATCH',
          `/jsonapi/customers/${id}`,
          { data: { type: 'customers', id, attributes: { own } } },
          asJsonApi,
        ),
      odata: () => answeredBy('PATCH', `/odata/Customers(${id})`, { own }),
      postgrest: () => answeredBy('PATCH', `/postgrest/customers?id=eq.${id}`, { own }),
      graphql: () => graphql(`mutation { changeCustomer(id: "${id}", own: { number: ${MANY} }) { replayed } }`),
      mcp: () => tool('change_customer', { id: Number(id), own }),
    }
    for (const [door, send] of Object.entries(change)) {
      await send()
      await now(door)
    }
    const variables = { own }
    await graphql(
      `mutation ($own: CustomerOwnInput) { changeCustomer(id: "${id}", own: $own) { replayed } }`,
      variables,
    )
    await now('graphql with variables')
    const filter = { name: 'Exact', 'own.number': own.number }
    const filterText = encodeURIComponent(`name eq 'Exact' and own/number eq ${MANY}`)
    const find = {
      rpc: () => rpc('customers.list', { filter }),
      jsonapi: () => answeredBy('GET', `/jsonapi/customers?filter[name]=Exact&filter[own.number]=${MANY}`),
      odata: () => answeredBy('GET', `/odata/Customers?$filter=${filterText}`),
      postgrest: () => answeredBy('GET', `/postgrest/customers?select=own&name=eq.Exact&own->>number=eq.${MANY}`),
      graphql: () =>
        graphql(
          `{ customers(where: { name: { eq: "Exact" }, own: { number: { eq: ${MANY} } } }) { nodes { own { number } } } }`,
        ),
      mcp: () => tool('list_customers', { filter }),
    }
    for (const [door, ask] of Object.entries(find)) {
      const { text } = await ask()
      assert.ok(text.includes(MANY), `${door} ${text}`)
      for (const beside of BESIDE) assert.ok(!text.includes(beside), `${door} ${text}`)
    }
  })

  testOnEachStore('in live lists', async () => {
    const id = await made('/customers', { name: 'Live', ...numbered(MANY) })
    const live = await openEventSource(`${service.url}/customers?name=Live&own.number=${MANY}&snapshot=true`)
    for (const number of [...BESIDE, MANY]) await answeredBy('PATCH', `/customers/${id}`, numbered(number))
    await live.received(4)
    assert.deepEqual(
      live.messages.map(({ type }) => type),
      ['enter', 'ready', 'leave', 'enter'],
    )
    assert.ok(live.messages.at(-1)?.data.includes(`"number":${MANY}`))
    live.close()
  })

  testOnEachStore('in forms, which change nothing by themselves', async () => {
    const id = await made('/customers', { name: 'Formed', ...numbered(MANY) })
    for (const [language, shown] of [
      ['en', '8,999,999,999.999997'],
      ['de', '8.999.999.999,999997'],
    ] as const) {
      const headers = { accept: 'text/html', 'accept-language': language }
      const page = await answeredBy('GET', `/customers/${id}`, undefined, headers)
      assert.ok(page.text.includes(`value="${shown}"`), page.text)
      const [, address = ''] = /action="([^"]+)"[^>]* id="edit-form"/.exec(page.text) ?? []
      const body = new URLSearchParams({ name: 'Formed', 'own.number': shown, _region: language })
      const sent = await service.request('POST', address, { body, headers })
      assert.equal(sent.status < 400, true, sent.text)
      const after = await answeredBy('GET', `/customers/${id}`)
      assert.deepEqual([after.body.revision, after.text.includes(`"number":${MANY}`)], [1, true], after.text)
    }
    const list = await answeredBy('GET', `/customers?own.number=${MANY}`, undefined, { accept: 'text/html' })
    assert.ok(list.text.includes('8,999,999,999.999997'), list.text)
  })

  testOnEachStore('in exports that are imported again, and when the import is undone', async () => {
    for (const format of ['xlsx', 'csv']) {
      const file = await fetch(`${service.url}/customers?id=${idOf(MANY)}&format=${format}`)
      const body = Buffer.from(await file.arrayBuffer())
      const headers = { 'content-type': String(file.headers.get('content-type')) }
      const import_ = async () => {
        const sent = await service.request('POST', '/imports?on=customer', { body, headers })
        return imported(String(sent.headers.location))
      }
      assert.partialDeepStrictEqual(await import_(), { updated: 0, unchanged: 1, rejected: 0 }, format)
      await answeredBy('PATCH', `/customers/${idOf(MANY)}`, numbered(LEAST))
      const done = await import_()
      assert.partialDeepStrictEqual(done, { updated: 1, unchanged: 0, rejected: 0 }, format)
      const { text } = await answeredBy('GET', `/customers/${idOf(MANY)}`)
      assert.ok(text.includes(`"number":${MANY}`), text)
      await answeredBy('POST', `/imports/${done.id}/undoings`)
      const undone = await answeredBy('GET', `/customers/${idOf(MANY)}`)
      assert.ok(undone.text.includes(`"number":${LEAST}`), undone.text)
      await answeredBy('PATCH', `/customers/${idOf(MANY)}`, numbered(MANY))
    }
  })
})
