import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { pointerTo } from '../../src/values/json/pointer.ts'
import { nameAtStep } from '../../src/values/members.ts'
import { type Asking, runService, type TestService } from '../support/service/running-service.ts'

// A member that a document does not have is refused wherever it stands: it may be a misspelt guard, and a write would be
// done that was meant as a dry run.

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

interface SentDocument {
  readonly door: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers?: { readonly [name: string]: string }
  readonly body: object
  /** Objects with members that belong to others. */
  readonly open?: readonly string[]
  /** Sent as one line of a stream. */
  readonly isLine?: boolean
}

const post = async (path: string, body: object): Promise<string> => {
  const made = await service.request('POST', path, { body })
  assert.equal(made.status, 201, made.text)
  return String(made.body.id)
}
const makeDeal = (): Promise<string> => post('/rest/v1/deals/', { name: 'Roof', price: 5 })
const makeCustomer = (): Promise<string> => post('/customers', { name: 'Ada' })

const JSONAPI = { 'content-type': 'application/vnd.api+json' }
const ATOMIC = { 'content-type': 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"' }

/** One document of each kind, with every object that it may have. All of them are accepted as they are. */
async function documents(): Promise<readonly SentDocument[]> {
  const [deal, customer] = [await makeDeal(), await makeCustomer()]
  const self = `/jsonapi/deals/${deal}`
  const relationship = `${self}/relationships/customer`
  const linkage = { type: 'customers', id: customer, meta: {} }
  const related = { data: linkage, links: { self: relationship, related: `${self}/customer` }, meta: {} }
  const around = { meta: {}, links: { self }, jsonapi: { version: '1.1', meta: {} } }
  const attributes = { name: 'Wall', price: 7 }
  const identity = { type: 'deals', id: deal }
  const jsonapi = (name: string, method: string, path: string, body: object) => ({
    ...{ door: 'jsonapi', name, method, path: `/jsonapi${path}`, headers: JSONAPI, body },
  })
  const atomic = (name: string, operation: object) => ({
    ...jsonapi(`operations: ${name}`, 'POST', '/operations', {
      ...{ meta: {}, jsonapi: around.jsonapi, 'atomic:operations': [{ meta: {}, ...operation }] },
    }),
    headers: ATOMIC,
  })
  const rpc = (name: string, body: object) => ({ door: 'rpc', name, method: 'POST', path: '/rpc', body })
  const called = { jsonrpc: '2.0', id: 1 }
  const tool = (name: string, parameters: object) => ({
    ...{ door: 'mcp', name: `tool ${name}`, method: 'POST', path: '/mcp', open: ['/params/_meta'] },
    body: { ...called, method: 'tools/call', params: { name, arguments: parameters, _meta: {} } },
  })
  const odata = (name: string, method: string, path: string, body: object) => ({
    ...{ door: 'odata', name, method, path: `/odata/${path}`, body },
  })
  const inBatch = (name: string, request: object) => ({
    ...odata(`batch: ${name}`, 'POST', '$batch', { requests: [{ id: '1', ...request }] }),
  })
  const postgrest = (name: string, method: string, path: string, body: object) => ({
    ...{ door: 'postgrest', name, method, path: `/postgrest/${path}`, body },
  })
  const graphql = (name: string, body: object) => ({
    ...{ door: 'graphql', name, method: 'POST', path: '/graphql', open: ['/extensions'] },
    body: { extensions: {}, ...body },
  })
  const rest = (name: string, method: string, path: string, body: object, headers?: SentDocument['headers']) => ({
    ...{ door: 'rest', name, method, path, body, ...(headers && { headers }) },
  })
  const command = { deal, action: 'AddDealNote', params: { text: 'x' } }
  return [
    jsonapi('creation', 'POST', '/deals', {
      ...{ meta: {}, jsonapi: around.jsonapi },
      data: { type: 'deals', attributes, meta: {}, relationships: { customer: { data: linkage, meta: {} } } },
    }),
    jsonapi('update', 'PATCH', `/deals/${deal}`, {
      ...around,
      data: { ...identity, attributes, meta: {}, links: { self }, relationships: { customer: related } },
    }),
    jsonapi('operation', 'POST', `/deals/${deal}/hold`, {
      ...{ ...around, data: { attributes: { reason: 'x' }, meta: {}, links: { self } } },
    }),
    jsonapi('relationship', 'PATCH', `/deals/${deal}/relationships/customer`, { ...around, ...related }),
    jsonapi('deletion', 'DELETE', `/deals/${await makeDeal()}`, {
      meta: {},
      jsonapi: { version: '1.1' },
      data: { attributes: {} },
    }),
    atomic('add', {
      op: 'add',
      data: { type: 'deals', lid: 'a', attributes, meta: {}, relationships: { customer: related } },
    }),
    atomic('add by href', { op: 'add', href: `${self}/add-note`, data: { attributes: { text: 'x' }, meta: {} } }),
    atomic('update', {
      op: 'update',
      ref: identity,
      data: { ...identity, attributes: { name: 'Gate' }, meta: {}, links: { self } },
    }),
    atomic('relationship', {
      op: 'update',
      ref: { ...identity, relationship: 'customer' },
      data: { type: 'customers', id: customer, meta: {} },
    }),
    atomic('remove', { op: 'remove', ref: { type: 'deals', id: await makeDeal() } }),
    rpc('operation', { ...called, method: 'deals.add-note', params: { id: deal, text: 'x' } }),
    rpc('read', { ...called, method: 'deals.get', params: { id: deal } }),
    rpc('list', { ...called, method: 'deals.list', params: { filter: { status: 'open' } } }),
    rpc('search', { ...called, method: 'search', params: { q: 'roof' } }),
    tool('add_deal_note', { id: deal, text: 'x' }),
    tool('get_deal', { id: deal }),
    tool('list_deals', { filter: { status: 'open' } }),
    tool('search', { q: 'roof' }),
    tool('describe_fields', { on: 'deal' }),
    ...['ping', 'tools/list', 'resources/list', 'resources/templates/list'].map((method) => ({
      ...{ door: 'mcp', name: method, method: 'POST', path: '/mcp' },
      body: { ...called, method, params: {} },
    })),
    {
      ...{ door: 'mcp', name: 'resources/read', method: 'POST', path: '/mcp' },
      body: { ...called, method: 'resources/read', params: { uri: `dealdesk://deals/${deal}` } },
    },
    odata('creation', 'POST', 'Deals', { ...attributes, 'customer@odata.bind': `Customers(${customer})` }),
    odata('update', 'PATCH', `Deals(${deal})`, { name: 'Door' }),
    odata('action', 'POST', `Deals(${deal})/Dealdesk.AddNote`, { text: 'x' }),
    inBatch('action', { method: 'POST', url: `Deals(${deal})/Dealdesk.AddNote`, body: { text: 'x' } }),
    inBatch('update in a group', { method: 'PATCH', url: `Deals(${deal})`, body: { name: 'D' }, atomicityGroup: 'g' }),
    inBatch('deletion', { method: 'DELETE', url: `Deals(${await makeDeal()})`, body: {} }),
    postgrest('insert', 'POST', 'deals', attributes),
    { ...postgrest('insert of columns', 'POST', 'deals?columns=name,price', [attributes]), open: ['/0'] },
    postgrest('update', 'PATCH', `deals?id=eq.${deal}`, { name: 'Floor' }),
    { ...postgrest('update of columns', 'PATCH', `deals?id=eq.${deal}&columns=name`, { name: 'Floor' }), open: [''] },
    postgrest('function', 'POST', 'rpc/add_deal_note', { id: deal, text: 'x' }),
    graphql('mutation', {
      query: 'mutation ($id: ID!, $text: String!) { addDealNote(id: $id, text: $text) { deal { id } } }',
      variables: { id: deal, text: 'x' },
    }),
    graphql('query', {
      query: 'query ($first: Int) { deals(first: $first) { nodes { id } } }',
      variables: { first: 1 },
    }),
    rest('creation', 'POST', '/rest/v1/deals/', attributes),
    rest('verb', 'PUT', `/rest/v1/deals/${deal}/add-note`, { text: 'x' }),
    rest('noun', 'POST', `/rest/v1/deals/${deal}/notes`, { text: 'x' }),
    rest('custom method', 'POST', `/rest/v1/deals/${deal}:add-note`, { text: 'x' }),
    rest('single update', 'PUT', `/rest/v1/deals/${deal}`, { action: 'AddDealNote', params: { text: 'x' } }),
    rest('attribute update', 'PUT', `/rest/v1/deals/${deal}`, { name: 'Stair' }),
    rest(
      'merge patch',
      'PATCH',
      `/rest/v1/deals/${deal}`,
      { name: 'Tree' },
      { 'content-type': 'application/merge-patch+json' },
    ),
    rest('deletion', 'DELETE', `/rest/v1/deals/${await makeDeal()}`, {}),
    rest('command', 'PUT', `/rest/commands/${randomUUID()}`, command),
    rest("a deal's command", 'PUT', `/rest/v1/deals/${deal}/commands/${randomUUID()}`, {
      action: 'AddDealNote',
      params: { text: 'x' },
    }),
    rest('command endpoint', 'POST', '/command/AddDealNote/', { id: deal, text: 'x' }),
    rest('batch', 'POST', '/rest/v1/batch', { atomic: true, commands: [command] }),
    { ...rest('stream', 'POST', '/rest/commands', command, { 'content-type': 'application/x-ndjson' }), isLine: true },
    rest('QUERY', 'QUERY', '/rest/v1/deals', { filter: { status: 'open' } }),
    rest('webhook', 'POST', '/webhooks', { url: 'http://93.184.215.14/x' }),
  ]
}

/** The pointers to the objects of a document. */
function objectsIn(value: unknown, pointer = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, each]) => objectsIn(each, pointer + pointerTo(name)))
  return Array.isArray(value) ? inner : [pointer, ...inner]
}

function withMember(body: object, pointer: string, member: object): object {
  const changed = structuredClone(body)
  let at = changed as Record<string, object>
  for (const step of pointer.split('/').slice(1)) at = at[nameAtStep(step)] as Record<string, object>
  Object.assign(at, member)
  return changed
}

/** Whether everything that was sent was done; a protocol tells it in its own way. */
async function isAccepted({ method, path, headers, isLine }: SentDocument, body: object): Promise<boolean> {
  const asking: Asking = { headers: headers ?? {}, body: isLine ? JSON.stringify(body) : body }
  const { status, text } = await service.request(method, path, asking)
  assert.ok(status < 500, text)
  if (status >= 400) return false
  const answer = text === '' ? {} : JSON.parse(text)
  const { error, errors, result, responses, status: line } = answer
  if (error !== undefined || errors !== undefined || result?.isError || line === 'rejected') return false
  return (responses ?? []).every((each: { readonly status: number }) => each.status < 400)
}

const eventCount = async (): Promise<unknown> =>
  (await service.request('GET', '/events?count=exact&maxpagesize=1')).body.total

const doors = ['jsonapi', 'rpc', 'mcp', 'odata', 'postgrest', 'graphql', 'rest']

for (const door of doors) {
  test(`${door}: an unknown member is refused at every place of every document`, async () => {
    const passedOver: string[] = []
    for (const sent of (await documents()).filter((each) => each.door === door)) {
      for (const pointer of objectsIn(sent.body)) {
        const before = await eventCount()
        const isTaken = await isAccepted(sent, withMember(sent.body, pointer, memberFor(sent, pointer)))
        if (isTaken || (await eventCount()) !== before) passedOver.push(`${sent.name} ${pointer}`)
      }
      assert.ok(await isAccepted(sent, sent.body), `${sent.name} without it is done`)
    }
    assert.deepEqual(passedOver, [])
  })
}

test('a guard around a document is heeded or refused, whatever the document', async () => {
  for (const sent of await documents()) {
    const called = `${sent.door} ${sent.name}`
    const before = await eventCount()
    const path = `${sent.path}${sent.path.includes('?') ? '&' : '?'}dry-run=true`
    await isAccepted({ ...sent, path }, sent.body)
    assert.equal(await eventCount(), before, `${called} as a dry run`)
    const headers = { ...sent.headers, 'if-match': '"99-stale"' }
    await isAccepted({ ...sent, headers }, sent.body)
    assert.equal(await eventCount(), before, `${called} on a stale revision`)
  }
})

/** Where the members are those of others, only our own words are refused. */
const memberFor = ({ open = [] }: SentDocument, pointer: string): object =>
  open.includes(pointer) ? { dryRun: true } : { dryRunn: true }

test('a member that belongs to another document of JSON:API is refused', async () => {
  const [deal, other] = [await makeDeal(), await makeDeal()]
  const data = { type: 'deals', id: deal, attributes: { name: 'Gate' } }
  const operations = { 'atomic:operations': [{ op: 'update', data }] }
  const change = { method: 'PATCH', path: `/jsonapi/deals/${deal}`, headers: JSONAPI }
  const together = { method: 'POST', path: '/jsonapi/operations', headers: ATOMIC }
  const removal = { op: 'remove', ref: { type: 'deals', id: other } }
  for (const [{ method, path, headers }, body, pointer] of [
    [change, { data, included: [] }, '/included'],
    [change, { data, errors: [] }, '/errors'],
    [change, { data, ...operations }, '/atomic:operations'],
    [change, { data, links: 7 }, '/links'],
    [change, { data, jsonapi: '1.1' }, '/jsonapi'],
    [change, { data: { ...data, links: [] } }, '/data/links'],
    [change, { data: { ...data, relationships: { customer: 7 } } }, '/data/relationships/customer'],
    [together, { ...operations, data }, '/data'],
    [together, { ...operations, links: {} }, '/links'],
    [together, { ...operations, meta: { commandId: 'a' } }, '/meta/commandId'],
    [together, { ...operations, meta: { expectedRevision: 1 } }, '/meta/expectedRevision'],
    [together, { 'atomic:operations': [{ ...removal, data }] }, '/atomic:operations/0/data'],
    [together, { 'atomic:operations': [{ ...removal, params: {} }] }, '/atomic:operations/0/params'],
  ] as const) {
    const { status, text } = await service.request(method, path, { headers, body })
    assert.equal(status, 422, text)
    assert.equal(JSON.parse(text).errors[0].source.pointer, pointer)
  }
  assert.equal((await service.request('GET', `/rest/v1/deals/${deal}`)).body.revision, 1)
  assert.equal((await service.request('GET', `/rest/v1/deals/${other}`)).body.revision, 1)
})

test('@-members of JSON:API hide no misspelt member behind them', async () => {
  const foreign = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`@x${at}`, true]))
  const body = { ...foreign, dryRunn: true, data: { type: 'deals', attributes: { name: 'A', price: 1 } } }
  assert.equal((await service.request('POST', '/jsonapi/deals', { headers: JSONAPI, body })).status, 422)
})
