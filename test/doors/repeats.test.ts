import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { testOnEachStore as test } from '../support/rooms/each-store.ts'
import { type Answered, type Asking, runService, type TestService } from '../support/service/running-service.ts'

// What was sent under a key is the same when it is sent again, in every form and through every door, whatever the model
// has become meanwhile. GraphQL is not among them: a document with a field that the model has no more is no valid one.
// decisions/0005

let service: TestService
const fields = new Map<string, string>()
let deal = ''

const values = {
  ...{ instant: '2027-01-31T10:00:00Z', choices: ['z', 'x'], number: -1.5, integer: 7, amount: 12.5, boolean: false },
  ...{ link: 1, date: '2027-01-31', text: 'Gruß' },
}
const options = {
  choices: { values: ['x', 'y', 'z'].map((value) => ({ value, title: value })) },
  link: { to: 'customer' },
}
/** As a page of a German reader sends them. */
const written = {
  ...{ instant: '2027-01-31T11:00', choices: 'z; x', number: '-1,5', integer: '7', amount: '1.012,50' },
  ...{ boolean: 'false', link: '1', date: '2027-01-31', text: 'Gruß' },
}
const emptied = { 'own.instant': '', 'own.number': '' }

before(async () => {
  service = await runService()
  for (const name of ['Eve', 'Ana']) await done('POST', '/customers', { body: { name } })
  for (const on of ['deal', 'customer', 'task'])
    for (const [name, kind] of [...Object.keys(values).map((kind) => [kind, kind]), ['code', 'integer']]) {
      if (on !== 'deal' && kind === 'amount') continue
      const field = { on, name, kind, title: name, options: (options as Record<string, unknown>)[String(kind)] }
      const { body } = await done('POST', '/fields', { body: { ...field, unique: name === 'code' } })
      fields.set(`${on}.${name}`, body.id)
    }
  const price = { name: 'A', price: 1 }
  deal = (await done('POST', '/rest/v1/deals', { body: price })).body.id
  await done('POST', '/rest/v1/deals', { body: { ...price, own: { code: 4711 } } })
})

after(() => service.close())

async function done(method: string, path: string, asking: Asking): Promise<Answered> {
  const answered = await service.request(method, path, asking)
  assert.ok(answered.status < 300, `${method} ${path}: ${answered.status} ${answered.text}`)
  return answered
}

interface Way {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly headers?: { readonly [name: string]: string }
  /** Whether the answer tells of a repeat; otherwise it is the same text again. */
  readonly silent?: true
}

const MERGE = { 'content-type': 'application/merge-patch+json' }
const JSONAPI = { 'content-type': 'application/vnd.api+json' }
const JSONAPI_ATOMIC = { 'content-type': 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' }
const wide = { 'content-type': 'application/json;IEEE754Compatible=true' }

function ways(): readonly Way[] {
  const { amount: _, ...withoutAmount } = values
  const made = { name: 'B', price: 2, own: values }
  const posting = { method: 'POST' } as const
  const form = (more: object, own: object = written): URLSearchParams =>
    new URLSearchParams({
      ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])),
      ...Object.fromEntries(Object.entries(own).map(([name, value]) => [`own.${name}`, String(value)])),
      _region: 'de-DE',
    })
  const { amount: __, ...writtenOthers } = written
  const at = `/rest/v1/deals/${deal}`
  const texts = { ...values, number: '-1.5', amount: '12.5' }
  const id = randomUUID()
  return [
    { ...posting, name: 'creation', path: '/rest/v1/deals', body: made },
    {
      ...posting,
      name: 'creation with nulls',
      path: '/rest/v1/deals',
      body: { ...made, own: { ...values, text: null } },
    },
    { ...posting, name: 'creation, from a page', path: '/rest/v1/deals', body: form({ name: 'B', price: 2 }) },
    {
      ...{ ...posting, name: 'creation with a new customer, from a page', path: '/rest/v1/deals' },
      body: form({ name: 'B', price: 2, '_customerId.name': 'Bob' }),
    },
    { name: 'verb', method: 'PUT', path: `${at}/set-fields`, body: { own: values } },
    { name: 'custom method', method: 'POST', path: `${at}:set-fields`, body: { own: values } },
    { ...posting, name: 'noun', path: `${at}/field-settings`, body: { own: values } },
    { ...posting, name: 'noun, from a page', path: `${at}/field-settings`, body: form({}) },
    {
      ...posting,
      name: 'noun that empties, from a page',
      path: `${at}/field-settings`,
      body: new URLSearchParams(emptied),
    },
    { ...posting, name: 'command endpoint', path: '/command/SetDealFields', body: { id: deal, own: values } },
    { ...posting, name: 'command endpoint, from a page', path: '/command/SetDealFields', body: form({ id: deal }) },
    { name: 'single update', method: 'PUT', path: at, body: { action: 'set-fields', params: { own: values } } },
    { name: 'attribute update', method: 'PUT', path: at, body: { name: 'C', own: values } },
    { name: 'merge patch', method: 'PATCH', path: at, body: { name: 'D', own: values }, headers: MERGE },
    { name: 'customer, replaced', method: 'PUT', path: '/customers/1', body: { name: 'E', own: withoutAmount } },
    {
      name: 'customer, merge patch',
      method: 'PATCH',
      path: '/customers/1',
      body: { own: withoutAmount },
      headers: MERGE,
    },
    { ...posting, name: 'customer, from a page', path: '/customers/1/edits', body: form({ name: 'E' }, writtenOthers) },
    { ...posting, name: 'task, from a page', path: '/rest/v1/tasks', body: form({ title: 'T' }, writtenOthers) },
    {
      name: 'by value',
      method: 'PATCH',
      path: '/rest/v1/deals/by/own.code/4711',
      body: { own: values },
      headers: MERGE,
    },
    { name: 'upsert', method: 'PUT', path: '/rest/v1/deals/by/own.code/4712', body: { ...made, name: 'U' } },
    { name: 'verb by value', method: 'PUT', path: '/rest/v1/deals/by/own.code/4711/rename', body: { newName: 'R' } },
    {
      ...{ ...posting, name: 'batch', path: '/rest/v1/batch', silent: true },
      body: {
        commands: [
          { action: 'CreateCustomer', params: { name: 'F', own: withoutAmount } },
          { action: 'CreateDeal', params: { ...made, customerId: '$0', own: { ...values, link: '$0' } } },
          { deal: { 'own.code': 4711 }, action: 'SetDealFields', params: { own: values } },
          { deal: { 'own.code': 4713 }, action: 'UpsertDeal', params: made },
        ],
      },
    },
    {
      ...{ name: 'command', method: 'PUT', path: `/rest/commands/${id}`, headers: { 'idempotency-key': '' } },
      body: { action: 'CreateDeal', params: made },
    },
    {
      ...{ ...posting, name: 'stream', path: '/rest/commands', silent: true },
      headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': '' },
      body: `${JSON.stringify({ id: randomUUID(), action: 'CreateDeal', params: made })}\n`,
    },
    { ...posting, name: 'JSON-RPC', path: '/rpc', silent: true, body: rpc('deals.create', made) },
    {
      ...posting,
      name: 'MCP',
      path: '/mcp',
      silent: true,
      body: rpc('tools/call', { name: 'create_deal', arguments: made }),
    },
    {
      ...{ ...posting, name: 'JSON:API', path: '/jsonapi/deals', headers: JSONAPI },
      body: { data: { type: 'deals', attributes: made } },
    },
    {
      ...{ name: 'JSON:API, changed', method: 'PATCH', path: `/jsonapi/deals/${deal}`, headers: JSONAPI },
      body: { data: { type: 'deals', id: deal, attributes: { own: values } } },
    },
    {
      ...{ ...posting, name: 'JSON:API, atomic', path: '/jsonapi/operations', silent: true, headers: JSONAPI_ATOMIC },
      body: { 'atomic:operations': [{ op: 'add', data: { type: 'deals', attributes: made } }] },
    },
    { ...posting, name: 'OData', path: '/odata/Deals', body: { ...made, own: texts }, headers: wide },
    { name: 'OData, changed', method: 'PATCH', path: `/odata/Deals(${deal})`, body: { own: texts }, headers: wide },
    {
      ...{ ...posting, name: 'OData action', path: `/odata/Deals(${deal})/Dealdesk.SetFields`, headers: wide },
      body: { own: texts },
    },
    {
      ...{ ...posting, name: 'OData batch', path: '/odata/$batch', silent: true },
      body: { requests: [{ id: '1', method: 'POST', url: 'Deals', headers: wide, body: { ...made, own: texts } }] },
    },
    { ...posting, name: 'PostgREST row', path: '/postgrest/deals', body: made },
    {
      ...{ ...posting, name: 'PostgREST rows', path: '/postgrest/deals?columns=name,price,own' },
      body: [made, { name: 'G', price: 1 }],
    },
    { name: 'PostgREST, changed', method: 'PATCH', path: `/postgrest/deals?id=eq.${deal}`, body: { own: values } },
    { ...posting, name: 'PostgREST function', path: '/postgrest/rpc/create_deal', body: made },
  ]
}

const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

test('what was sent under a key is a repeat in every model', async (t) => {
  const sent = ways().map((way) => ({ ...way, headers: { 'idempotency-key': String(randomUUID()), ...way.headers } }))
  const send = async ({ method, path, body, headers }: (typeof sent)[number]): Promise<Answered> => {
    const { 'idempotency-key': key, ...others } = headers
    return service.request(method, path, { body, headers: key === '' ? others : headers })
  }
  const first = new Map<string, Answered>()
  for (const way of sent) {
    const answered = await send(way)
    assert.ok(answered.status < 300, `${way.name}: ${answered.status} ${answered.text}`)
    assert.doesNotMatch(answered.text, /"(errors?|problem|isError":true)"/, way.name)
    first.set(way.name, answered)
  }
  const written = await eventsWritten()
  const repeats = async (name: string): Promise<void> => {
    for (const way of sent) {
      await t.test(`${name}: ${way.name}`, async () => {
        const { status, text, headers } = await send(way)
        assert.equal(status, way.name === 'command' ? 200 : first.get(way.name)?.status, text)
        if (way.silent) assert.doesNotMatch(text, /reused|"error"|"problem"/)
        else assert.equal(headers['idempotent-replayed'], 'true', text)
      })
    }
    assert.deepEqual((await eventsWritten()).filter(isOfThing), written.filter(isOfThing), name)
  }
  await repeats('the same model')
  await done('PATCH', `/fields/${fields.get('deal.text')}`, { body: { options: { max: 2 } } })
  await done('PATCH', `/fields/${fields.get('deal.code')}`, { body: { unique: false } })
  await done('PATCH', `/fields/${fields.get('deal.choices')}`, { body: { required: true } })
  await repeats('a stricter model')
  for (const [name, id] of fields) if (!name.endsWith('text')) await done('PUT', `/fields/${id}/retire`, { body: {} })
  await repeats('fields are retired')
  for (const [name, id] of fields) if (name.endsWith('text')) await done('PUT', `/fields/${id}/retire`, { body: {} })
  await repeats('there are no own fields')
})

test('the same words about another thing are no repeat', async () => {
  const [id, renaming] = [randomUUID(), randomUUID()]
  const batch = (name: string): object => ({
    commands: [
      { action: 'CreateCustomer', params: { name } },
      { action: 'CreateDeal', params: { name: 'H', price: 1, customerId: '$0' }, id },
      { deal: '$1', action: 'RenameDeal', params: { newName: 'I' }, id: renaming },
    ],
  })
  const statuses = async (name: string): Promise<readonly unknown[]> => {
    const { body } = await done('POST', '/rest/v1/batch', { body: batch(name) })
    return (body.results as readonly { readonly status: string; readonly problem?: { readonly code: string } }[]).map(
      ({ status, problem }) => problem?.code ?? status,
    )
  }
  assert.deepEqual(await statuses('one'), ['applied', 'applied', 'applied'])
  assert.deepEqual(await statuses('other'), ['applied', 'command-id-reused', 'not-tried'])
  const key = { 'idempotency-key': randomUUID() }
  const named = { body: { newName: 'J' }, headers: key }
  await done('PUT', `/rest/v1/deals/${deal}/rename`, named)
  const other = (await done('POST', '/rest/v1/deals', { body: { name: 'K', price: 1 } })).body.id
  assert.equal((await service.request('PUT', `/rest/v1/deals/${other}/rename`, named)).status, 422)
  const changed = { ...named, body: { newName: 'L' } }
  assert.equal((await service.request('PUT', `/rest/v1/deals/${deal}/rename`, changed)).status, 422)
})

interface ListedEvent {
  readonly type: string
  readonly id: string
}

const isOfThing = ({ type }: ListedEvent): boolean => !type.startsWith('field.')

async function eventsWritten(): Promise<readonly ListedEvent[]> {
  const { body } = await done('GET', '/events?maxpagesize=1000', {})
  return (body.items as readonly ListedEvent[]).map(({ type, id }) => ({ type, id }))
}
