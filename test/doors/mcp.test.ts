import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { functionName } from '../../src/doors/kit/declaring.ts'
import { versions } from '../../src/doors/mcp/protocol.ts'
import { operations, repeatable, resources } from '../support/schema.ts'
import { bearer, type ClosedService, runClosedService } from '../support/service/closed-service.ts'
import type { Answered, ShownFault } from '../support/service/running-service.ts'
import { saidFaults } from '../support/service/said-faults.ts'

const FRIEND = 'https://app.example.com'

let service: ClosedService
let client: Client
let tools: readonly Tool[]
const opened: Client[] = []

before(async () => {
  service = await runClosedService({ CORS_ORIGINS: FRIEND })
  client = await clientOf(service.keys.admin)
  // From now on the client checks structured content against the schemas of the tools.
  tools = (await client.listTools()).tools
})
after(async () => {
  await Promise.all(opened.map((each) => each.close()))
  await service.close()
})

async function clientOf(key: string): Promise<Client> {
  const own = new Client({ name: 'dealdesk-test', version: '1.0.0' })
  const url = new URL('/mcp', service.url)
  // A connection of its own for each request: one that rested may be gone when a busy loop comes to use it.
  const headers = { ...bearer(key), connection: 'close' }
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } })
  // The SDK's own types are not written for exactOptionalPropertyTypes.
  await own.connect(transport as Parameters<Client['connect']>[0])
  opened.push(own)
  return own
}

type Said = { readonly [member: string]: unknown }

async function call(name: string, parameters: Said = {}, as = client): Promise<CallToolResult> {
  return (await as.callTool({ name, arguments: parameters })) as CallToolResult
}

/** What a call that is not refused gives. */
async function done(name: string, parameters: Said = {}, as = client): Promise<Said> {
  const result = await call(name, parameters, as)
  assert.ok(!result.isError, JSON.stringify(result))
  const said = result.structuredContent as Said
  assert.deepEqual(JSON.parse(textOf(result)), said)
  return said
}

/** The problem of a call that is refused. */
async function refused(name: string, parameters: Said = {}, as = client): Promise<Said> {
  const result = await call(name, parameters, as)
  assert.equal(result.isError, true)
  const problem = result.structuredContent as Said
  assert.ok(textOf(result).includes(String(problem.detail)), 'the reason is said in words')
  return problem
}

const textOf = ({ content: [first] }: CallToolResult): string => (first?.type === 'text' ? first.text : '')

const failed = async (asked: Promise<unknown>): Promise<{ readonly code: number; readonly message: string }> =>
  asked.then(
    () => assert.fail('it was not refused'),
    (cause) => cause,
  )

const create = async (name: string): Promise<{ readonly id: string; readonly revision: number }> =>
  (await done('create_deal', { name, price: 100 })) as { id: string; revision: number }

test('an assistant searches, lists to the end, reads, acts, and is refused with the reason', async () => {
  assert.equal(client.getServerVersion()?.name, 'dealdesk')
  assert.match(String(client.getInstructions()), /dryRun/)
  for (const name of ['Alpha roof', 'Beta roof', 'Gamma roof', 'Delta shed']) await create(name)
  const seen: unknown[] = []
  let after: unknown
  do {
    const page = await done('list_deals', {
      ...{ filter: { name: { contains: 'roof' } }, sort: 'name', limit: 2, count: 'exact' },
      ...(after !== undefined && { after }),
    })
    assert.equal(page.total, 3)
    seen.push(...(page.items as Said[]).map(({ name }) => name))
    after = page.after
  } while (after !== undefined)
  assert.deepEqual(seen, ['Alpha roof', 'Beta roof', 'Gamma roof'])

  const { id, revision } = await create('Bridge')
  const { items } = await done('search', { q: 'bridge' })
  assert.equal((items as Said[])[0]?.id, id)
  const held = await done('hold_deal', { id, reason: 'credit check', expectedRevision: revision })
  assert.partialDeepStrictEqual(held, { id, held: true, holdReason: 'credit check' })
  assert.deepEqual(await done('get_deal', { id, fields: 'id,held' }), { id, held: true })
  const groups = await done('list_deals', { group: 'held', measure: 'count' })
  assert.deepEqual(groups.items, [
    { held: false, count: 4 },
    { held: true, count: 1 },
  ])

  const wrong = await call('complete_deal', { id })
  assert.equal(wrong.isError, true)
  assert.match(textOf(wrong), /complete is not allowed: the deal is on hold\. Allowed now: .*unhold/)
  assert.partialDeepStrictEqual(wrong.structuredContent, { code: 'wrong-state', status: 409, operation: 'complete' })
  const stale = await refused('rename_deal', { id, newName: 'Bridges', expectedRevision: revision })
  assert.equal(stale.code, 'stale-revision')
  const faulty = await refused('hold_deal', { id })
  assert.deepEqual(saidFaults(faulty.errors as readonly ShownFault[]), [{ pointer: '/reason', detail: 'is required' }])
  assert.equal((await refused('get_deal', { id: randomUUID() })).code, 'deal-not-found')
  assert.equal((await refused('get_customer', { id: '1' })).detail, 'id must be an integer')
  assert.match(String((await refused('list_deals', { filter: { nam: 'x' } })).detail), /did you mean name\?/)
})

test('a reader is told of no writing tools, and refused if it calls one', async () => {
  const { id } = await create('Roof')
  const reader = await clientOf(service.keys.reader)
  const { tools: listed } = await reader.listTools()
  assert.deepEqual(
    listed.map(({ name }) => name).toSorted(),
    [
      'search',
      'describe_fields',
      ...repeatable.flatMap(({ name, plural }) => [`get_${name}`, `list_${plural}`]),
    ].toSorted(),
  )
  assert.ok(listed.every(({ annotations }) => annotations?.readOnlyHint))
  assert.equal((await done('get_deal', { id }, reader)).id, id)
  const problem = await refused('hold_deal', { id, reason: 'x' }, reader)
  assert.equal(problem.code, 'forbidden')
  assert.match(String(problem.detail), /needs the role editor/)
  assert.equal((await done('get_deal', { id }, reader)).held, false)
  const { text } = await service.request('POST', '/mcp', {
    headers: bearer(service.keys.editor),
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  assert.ok(text.includes('"hold_deal"') && !text.includes('"delete_customer"'))
})

suite('every tool', () => {
  const toolNamed = (name: string): Tool => tools.find((tool) => tool.name === name) ?? assert.fail(name)

  test('there is one for each operation', () => {
    const names = tools.map(({ name }) => name)
    const ofThings = operations.filter(({ on }) => on.shapes === undefined)
    for (const operation of ofThings) assert.ok(names.includes(functionName(operation)))
    assert.equal(new Set(names).size, names.length)
    assert.ok(names.includes('hold_deal') && names.includes('change_deal_price'))
  })

  test('has schemas that compile, and that the examples of its operation meet', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false }))
    for (const { name, title, description, inputSchema, outputSchema } of tools) {
      assert.ok(title && description, name)
      assert.ok(ajv.validateSchema(inputSchema) && (outputSchema === undefined || ajv.compile(outputSchema)), name)
      assert.equal(outputSchema !== undefined, name.startsWith('get_'), 'what a thing is stands where it is read')
      const accepts = ajv.compile(inputSchema)
      const operation = operations.find((each) => functionName(each) === name)
      if (operation === undefined) continue
      const id = operation.to === 'nothing' ? {} : { id: operation.on.example.id }
      for (const params of operation.examples) {
        const sent = { ...id, ...params, commandId: 'a-1', dryRun: true }
        assert.ok(accepts(sent), `${name} ${JSON.stringify(sent)} ${ajv.errorsText(accepts.errors)}`)
        assert.equal(accepts({ ...sent, zzz: 1 }), false)
      }
    }
  })

  test('costs an assistant few bytes', async () => {
    const { text } = await service.request('POST', '/mcp', {
      body: { jsonrpc: '2.0', id: 7, method: 'tools/list' },
      headers: bearer(service.keys.admin),
    })
    assert.ok(text.length <= 50_000, `${text.length} bytes`)
  })

  test('that lists takes, by its schema, what leads to further pages', async () => {
    const accepts = new Ajv2020({ strict: false }).compile(toolNamed('list_deals').inputSchema)
    const pageOf = async (sent: Said): Promise<Said> => {
      assert.ok(accepts(sent), JSON.stringify([sent, accepts.errors]))
      return done('list_deals', sent)
    }
    for (const name of ['Page one', 'Page two']) await create(name)
    const wanted = { filter: { name: { starts: 'page ' } }, limit: 1 }
    const named = ({ items }: Said): unknown => (items as Said[])[0]?.name
    const groups = { ...wanted, group: 'name' }
    const first = await pageOf(groups)
    assert.deepEqual([named(first), first.hasMore, first.after], ['Page one', true, undefined])
    assert.equal(named(await pageOf({ ...groups, page: 2 })), 'Page two')
    const { after } = await pageOf({ ...wanted, sort: 'name' })
    const second = await pageOf({ ...wanted, sort: 'name', after })
    assert.equal(named(await pageOf({ ...wanted, sort: 'name', before: second.before })), 'Page one')
  })

  test('says whether it reads, destroys or may be repeated', () => {
    const hints = (name: string) => {
      const { readOnlyHint, destructiveHint, idempotentHint } = toolNamed(name).annotations ?? {}
      return [readOnlyHint && 'reads', destructiveHint && 'destroys', idempotentHint && 'repeats'].filter(Boolean)
    }
    for (const name of ['search', 'list_deals', 'get_customer']) assert.deepEqual(hints(name), ['reads', 'repeats'])
    for (const name of ['delete_deal', 'delete_customer', 'cancel_deal']) {
      assert.deepEqual(hints(name), ['destroys', 'repeats'])
    }
    for (const name of ['archive_deal', 'unarchive_deal', 'restore_deal', 'change_customer', 'finish_task']) {
      assert.deepEqual(hints(name), ['repeats'], name)
    }
    const recorded = ['hold_deal', 'rename_deal', 'change_deal_price']
    for (const name of [...recorded, 'create_deal', 'add_deal_note', 'record_deal_payment', 'waive_deal_amercement']) {
      assert.deepEqual(hints(name), [], name)
    }
  })

  test('records nothing of a repetition where it says that it may be repeated', async () => {
    const { id } = await create('Roof')
    const customer = await done('create_customer', { name: 'Ana Ruiz' })
    for (const [name, parameters, read] of [
      ['hold_deal', { id, reason: 'credit check' }, 'get_deal'],
      ['rename_deal', { id, newName: 'Roofs' }, 'get_deal'],
      ['unhold_deal', { id }, 'get_deal'],
      ['complete_deal', { id }, 'get_deal'],
      ['archive_deal', { id }, 'get_deal'],
      ['change_customer', { id: customer.id, age: 40 }, 'get_customer'],
    ] as const) {
      const once = await done(name, parameters)
      await call(name, parameters)
      const { revision } = await done(read, { id: parameters.id })
      assert.equal(revision === once.revision, toolNamed(name).annotations?.idempotentHint, name)
    }
  })
})

test('deals and customers are resources', async () => {
  const { id } = await create('Tower')
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.deepEqual(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    resources.map(({ plural }) => `dealdesk://${plural}/{id}`),
  )
  for (let at = 0; at < 50; at++) await create(`Floor ${at}`)
  const all = await client.listResources()
  assert.deepEqual([all.resources.length, all.nextCursor], [50, undefined], 'the latest fifty')
  assert.equal(all.resources[0]?.name, 'Floor 49')
  const last = await done('create_customer', { name: 'Ana Ruiz' })
  const { id: newest } = await create('Tower')
  const listed = new Map<string, string>()
  for (const { uri, name, mimeType } of (await client.listResources()).resources) {
    listed.set(uri, name)
    assert.equal(mimeType, 'application/json')
  }
  assert.equal(listed.get(`dealdesk://deals/${newest}`), 'Tower')
  assert.equal(listed.get(`dealdesk://customers/${last.id}`), 'Ana Ruiz')
  for (const uri of [`dealdesk://deals/${id}`, `${service.url}/rest/v1/deals/${id}`, `/rest/v1/deals/${id}`]) {
    const { contents } = await client.readResource({ uri })
    const [content] = contents as { uri: string; mimeType: string; text: string }[]
    assert.partialDeepStrictEqual(content, { uri, mimeType: 'application/json' })
    assert.equal(JSON.parse(content?.text ?? '').name, 'Tower')
  }
  for (const uri of [`dealdesk://deals/${randomUUID()}`, 'dealdesk://nothing/1', 'dealdesk://customers/x', '']) {
    assert.equal((await failed(client.readResource({ uri }))).code, -32002, uri)
  }
  for (const bad of ['nothing', '']) {
    assert.equal((await failed(client.listResources({ cursor: bad }))).code, -32602, bad)
  }
  assert.equal((await failed(client.listTools({ cursor: 'x' }))).code, -32602)
})

suite('as the protocol says', () => {
  const post = (body: unknown, headers: { readonly [name: string]: string } = {}): Promise<Answered> =>
    service.request('POST', '/mcp', { body, headers: { ...bearer(service.keys.admin), ...headers } })
  const request = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 7, method, ...(params && { params }) })
  const errorOf = ({ body }: Answered) => body.error as { readonly code: number; readonly message: string }

  test('the version is agreed on', async () => {
    for (const [asked, agreed] of [
      ['2025-06-18', '2025-06-18'],
      ['2025-11-25', '2025-11-25'],
      ['2024-11-05', '2025-11-25'],
      ['2099-01-01', '2025-11-25'],
    ]) {
      const { status, body, headers } = await post(request('initialize', { protocolVersion: asked, capabilities: {} }))
      assert.equal(status, 200)
      assert.equal(headers['mcp-session-id'], undefined)
      assert.partialDeepStrictEqual(body, {
        id: 7,
        result: { protocolVersion: agreed, capabilities: { tools: {}, resources: {} } },
      })
    }
    assert.equal(errorOf(await post(request('initialize', {}))).code, -32602)
    const unknown = await post(request('ping'), { 'mcp-protocol-version': '1900-01-01' })
    assert.equal(unknown.status, 400)
    assert.partialDeepStrictEqual(unknown.body.error, {
      code: -32022,
      data: { supported: versions, requested: '1900-01-01' },
    })
    assert.deepEqual((await post(request('ping'), { 'mcp-protocol-version': '2025-06-18' })).body.result, {})
  })

  test('notifications and responses are taken without an answer', async () => {
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ]) {
      const { status, text } = await post(message)
      assert.deepEqual({ status, text }, { status: 202, text: '' })
    }
  })

  test('an id comes back as it was written, however long its number is', async () => {
    for (const method of ['ping', 'foobar']) {
      const { text } = await post(`{"jsonrpc":"2.0","id":9007199254740993,"method":"${method}"}`)
      assert.ok(text.endsWith(',"id":9007199254740993}'), text)
    }
  })

  test('there is no stream and no session', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await service.request(method, '/mcp', {
        headers: { ...bearer(service.keys.admin), accept: 'text/event-stream', 'mcp-session-id': 'x' },
      })
      assert.equal(answer.status, 405)
      assert.equal(answer.headers.allow, 'POST, OPTIONS')
    }
  })

  test('what is not a request is refused', async () => {
    for (const [sent, code] of [
      ['{"jsonrpc":', -32700],
      ['', -32700],
      [[request('ping')], -32600],
      [[], -32600],
      [{ ...request('ping'), id: null }, -32600],
      [{ ...request('ping'), jsonrpc: '1.0' }, -32600],
      [3, -32600],
    ] as const) {
      const answer = await post(typeof sent === 'number' ? String(sent) : sent)
      assert.equal(answer.status, 400)
      assert.equal(errorOf(answer).code, code, answer.text)
    }
    assert.equal(errorOf(await post(request('prompts/list'))).code, -32601)
    assert.match(errorOf(await post(request('tools/lst'))).message, /did you mean tools\/list\?/)
    const call = (params: object) => post(request('tools/call', params))
    assert.equal(errorOf(await call({ name: 'hold_deal', arguments: [] })).code, -32602)
    const misspelt = errorOf(await call({ name: 'list_deals', argument: { filter: { price: 1 } } }))
    assert.deepEqual([misspelt.code, misspelt.message], [-32602, 'argument is not known here, did you mean arguments?'])
    const beside = errorOf(await call({ name: 'hold_deal', arguments: {}, dryRun: true }))
    assert.deepEqual([beside.code, beside.message], [-32602, 'dryRun is not known here.'])
    const inMeta = errorOf(await call({ name: 'hold_deal', arguments: {}, _meta: { dryRun: true, progressToken: 1 } }))
    assert.deepEqual([inMeta.code, inMeta.message], [-32602, 'dryRun belongs among the arguments.'])
    const unknown = await call({ name: 'hold_dael' })
    assert.equal(unknown.status, 200)
    assert.match(errorOf(unknown).message, /did you mean hold_deal\?/)
    assert.equal((await post(request('ping'), { accept: 'text/html' })).status, 406)
    assert.equal((await post('<x/>', { 'content-type': 'text/xml' })).status, 415)
  })

  test('pages of other origins may not call, whatever their key', async () => {
    const evil = await post(request('ping'), { origin: 'https://evil.example' })
    assert.equal(evil.status, 403)
    assert.partialDeepStrictEqual(evil.body, { jsonrpc: '2.0', error: { data: { code: 'cross-site-request' } } })
    assert.ok(!('id' in evil.body))
    assert.equal((await post(request('ping'), { origin: 'null' })).status, 403)
    const friend = await post(request('ping'), { origin: FRIEND })
    assert.equal(friend.status, 200)
    assert.equal(friend.headers['access-control-allow-origin'], FRIEND)
    assert.equal((await post(request('ping'), { origin: service.url })).status, 200)
    const preflight = await service.request('OPTIONS', '/mcp', {
      headers: { origin: FRIEND, 'access-control-request-method': 'POST' },
    })
    assert.match(String(preflight.headers['access-control-allow-headers']), /MCP-Protocol-Version/)
  })

  suite('since 2026-07-28, without a handshake', () => {
    const meta = (version = '2026-07-28') => ({
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': {},
    })
    const modern = (
      method: string,
      params: { readonly [name: string]: unknown } = {},
      headers: { readonly [name: string]: string } = {},
    ) => {
      const name = params.name ?? params.uri
      return post(request(method, { ...params, _meta: meta() }), {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name !== undefined && { 'mcp-name': String(name) }),
        ...headers,
      })
    }

    test('each request stands for itself', async () => {
      const { body } = await modern('server/discover')
      assert.partialDeepStrictEqual(body.result, {
        ...{ resultType: 'complete', supportedVersions: versions, cacheScope: 'private' },
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'dealdesk' } },
      })
      const listed = await modern('tools/list')
      assert.partialDeepStrictEqual(listed.body.result, { resultType: 'complete', ttlMs: 300_000 })
      const { id } = await create('Modern')
      const uri = `dealdesk://deals/${id}`
      const encoded = `=?base64?${Buffer.from(uri).toString('base64')}?=`
      const read = await modern('resources/read', { uri }, { 'mcp-name': encoded })
      assert.partialDeepStrictEqual(read.body.result, { contents: [{ uri }], ttlMs: 0 })
      const called = await modern('tools/call', { name: 'hold_deal', arguments: { id, reason: 'x' } })
      assert.partialDeepStrictEqual(called.body.result, { resultType: 'complete', structuredContent: { held: true } })
    })

    test('what the headers say must be what the content says', async () => {
      for (const headers of [
        { 'mcp-protocol-version': '2025-11-25' },
        { 'mcp-method': 'tools/list' },
        { 'mcp-name': 'delete_deal' },
      ]) {
        const answer = await modern('tools/call', { name: 'search', arguments: { q: 'x' } }, headers)
        assert.equal(answer.status, 400)
        assert.equal(errorOf(answer).code, -32020, JSON.stringify(headers))
      }
      const bare = await post(request('tools/list', { _meta: meta() }))
      assert.equal(errorOf(bare).code, -32020)
      const silent = await post(request('tools/list'), {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
      })
      assert.equal(silent.status, 400)
      assert.equal(errorOf(silent).code, -32602)
      const future = await modern('tools/list', {}, { 'mcp-protocol-version': '2099-01-01' })
      assert.equal(errorOf(future).code, -32022)
    })

    test('the handshake is gone, and a missing thing is a wrong parameter', async () => {
      for (const method of ['ping', 'initialize', 'nothing']) {
        const answer = await modern(method)
        assert.equal(answer.status, 404)
        assert.equal(errorOf(answer).code, -32601)
      }
      assert.equal(errorOf(await modern('resources/read', { uri: 'dealdesk://deals/1' })).code, -32602)
    })
  })

  test('who does not get in is told so in the protocol', async () => {
    const { status, headers, body } = await service.request('POST', '/mcp', { body: request('ping') })
    assert.equal(status, 401)
    assert.ok(headers['www-authenticate'])
    assert.partialDeepStrictEqual(body, { jsonrpc: '2.0', error: { code: 401, data: { code: 'unauthorized' } } })
  })
})
