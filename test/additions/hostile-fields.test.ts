import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { MOST_FIELDS } from '../../src/model/nouns/field/field.ts'
import { resourceNamed } from '../../src/model/schema/resources.ts'
import { fieldOf } from '../../src/queries/collection.ts'
import { collectionOf } from '../../src/queries/collections.ts'
import { dialects } from '../../src/queries/dialects/dialects.ts'
import type { Term } from '../../src/queries/query.ts'
import { settingNames } from '../../src/queries/settings.ts'
import { readTerm } from '../../src/queries/term.ts'
import { representations } from '../../src/representations/representations.ts'
import { queryBounds } from '../../src/values/bounds.ts'
import { type Any, places, representationReaders } from '../support/own-fields/read-representations.ts'
import { deal as declared } from '../support/schema.ts'
import { openService, type TestService } from '../support/service/running-service.ts'

// Fields that are named, titled and filled as if to break something: each is refused with a reason, or right on every
// surface. There are as many as a resource may have.

const names: readonly string[] = [
  ...new Set([
    ...[
      'gte',
      'q',
      'in',
      'ne',
      'not',
      'and',
      'or',
      'any',
      'all',
      'has',
      'count',
      'sum',
      'year',
      'month',
      'json',
      'raw',
    ],
    ...['asc', 'desc', 'nullsfirst', 'nullslast'],
    ...['select', 'order', 'union', 'table', 'where', 'rowid', 'oid', 'ctid', 'user', 'default', 'group', 'from'],
    ...[
      'query',
      'mutation',
      'subscription',
      'type',
      'input',
      'fragment',
      'on',
      'true',
      'false',
      'null',
      'nodes',
      'edges',
    ],
    ...[
      'class',
      'function',
      'new',
      'delete',
      'return',
      'await',
      'this',
      'undefined',
      'nan',
      'length',
      'then',
      'toJSON',
    ],
    ...[
      'xml',
      'xmlns',
      'xsi',
      'item',
      'items',
      'entry',
      'key',
      'value',
      'data',
      'attributes',
      'meta',
      'self',
      'own',
      'links',
    ],
    ...[
      'budget',
      'buDget',
      'name',
      'nAme',
      'Name',
      'a',
      'a'.repeat(40),
      'b'.repeat(41),
      '__typename',
      '1a',
      'a.b',
      'a-b',
      'ä',
      '',
    ],
    ...Object.getOwnPropertyNames(Object.prototype),
    ...[...settingNames].map((name) => name.replaceAll(/[^A-Za-z]/g, '')),
    ...declared.names,
  ]),
]

const VALUE = '=1+1 "%_\\\'😀</b>\u202eabc, &amp; ; x'
const CHOICE = '=c%\\"\'😀<i>\u202e_'
const titleOf = (name: string): string => `=<b>"'\u202e Title of ${name}`

/** Of some kinds in turns: the value, and as a filter names it. */
const samples = {
  text: { value: VALUE, text: VALUE },
  choice: { value: CHOICE, text: CHOICE, page: 'The =<i>' },
  integer: { value: 9_007_199_254_740_991, text: '9007199254740991', page: '9,007,199,254,740,991' },
  date: { value: '2027-01-31', text: '2027-01-31', page: '31 Jan 2027' },
  number: { value: -0.000001, text: '-0.000001' },
  boolean: { value: true, text: 'true', page: 'yes' },
} as const
type SampledKind = keyof typeof samples
const kinds = Object.keys(samples) as SampledKind[]

/** The name of an integer would be that of a key in some protocols. */
const kindAt = (name: string, at: number): SampledKind =>
  name === 'id' ? 'integer' : (kinds[at % kinds.length] ?? 'text')

const paramsOf = (name: string, kind: SampledKind): object => ({
  ...{ on: 'deal', name, title: titleOf(name), kind },
  ...(kind === 'choice' && {
    options: {
      values: [
        { value: 'first', title: 'First' },
        { value: CHOICE, title: 'The =<i>' },
      ],
    },
  }),
})

for (const store of ['sqlite', 'postgres']) {
  describe(`hostile fields, on ${store}`, () => {
    let service: TestService
    let id = ''
    const fields: { readonly name: string; readonly kind: SampledKind }[] = []
    const own = () => Object.fromEntries(fields.map(({ name, kind }) => [name, samples[kind].value]))

    async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const type = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }
      const answer = await fetch(service.url + path, {
        method,
        // One that rested may be closed at the other end when a busy machine comes to use it.
        headers: { connection: 'close', ...(body !== undefined && type), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
    }
    async function shown(...asked: Parameters<typeof ask>): Promise<Any> {
      const { status, bytes } = await ask(...asked)
      assert.ok(status < 400, `${asked[1].slice(0, 500)}: ${status} ${bytes}`)
      return JSON.parse(bytes.toString())
    }
    const get = (path: string) => shown('GET', path)

    before(async () => {
      process.env.TEST_STORE = store
      service = await openService()
      const commands = names.map((name, at) => ({ action: 'CreateField', params: paramsOf(name, kindAt(name, at)) }))
      const { results } = await shown('POST', '/rest/v1/batch', { commands })
      for (const [at, { status, problem }] of (results as Any[]).entries()) {
        const name = names[at] ?? ''
        if (status === 'applied') fields.push({ name, kind: kindAt(name, at) })
        else {
          const code = problem.errors?.[0].code ?? problem.code
          assert.ok(['reserved', 'malformed', 'too-long', 'blank', 'name-taken'].includes(code), `${name}: ${code}`)
        }
      }
      const rest = Array.from({ length: MOST_FIELDS - fields.length }, (_, at) => `filler${at}`)
      for (const name of rest) fields.push({ name, kind: 'text' })
      const filling = rest.map((name) => ({ action: 'CreateField', params: paramsOf(name, 'text') }))
      await shown('POST', '/rest/v1/batch', { atomic: true, commands: filling })
      const made = { name: 'Roof', price: 2, completionDate: '2027-01-01', own: own() }
      id = (await shown('POST', '/rest/v1/deals', made)).id
      await shown('POST', '/rest/v1/deals', { name: 'Other', price: 1 })
      await service.database.settled()
    })
    after(() => service.close())

    test('names that a query or an object would take for its own are refused, and case twins', () => {
      const accepted = new Set(fields.map(({ name }) => name))
      for (const name of [
        'gte',
        'q',
        'count',
        'month',
        'null',
        'constructor',
        '__proto__',
        'toString',
        'then',
        'buDget',
      ])
        assert.ok(!accepted.has(name), name)
      for (const name of ['select', 'on', 'true', 'id', 'own', 'links', 'xml', 'name', 'fields', 'a'.repeat(40)])
        assert.ok(accepted.has(name), name)
    })

    test('there are 200 at most', async () => {
      const { status, bytes } = await ask('POST', '/fields', paramsOf('oneMore', 'text'))
      assert.deepEqual([status, JSON.parse(bytes.toString()).code], [409, 'too-many-fields'])
      assert.equal((await get('/fields?maxpagesize=1000')).items.length, MOST_FIELDS)
    })

    for (const { name: format } of representations) {
      test(`are right in ${format}`, async () => {
        const reader = representationReaders[format]
        assert.ok(reader)
        const self = `/rest/v1/deals/${id}`
        // An address has 8 KiB at most: a page shows the hostile ones as columns.
        const columns = fields.filter(({ name }) => !name.startsWith('filler'))
        const chosen = format === 'html' ? `fields=${columns.map(({ name }) => `own.${name}`)}` : ''
        const addresses = {
          ...{ thing: `${self}?`, list: `/rest/v1/deals?${chosen}`, entry: `${self}/history/1?` },
          ...{ history: `${self}/history?`, events: `/events?deal=${id}` },
        }
        for (const of of places) {
          if (reader.without?.includes(of)) continue
          const { status, bytes } = await ask('GET', `${addresses[of]}&format=${format}`)
          if (status === 406) continue
          assert.equal(status, 200, `${of}: ${bytes.subarray(0, 500)}`)
          if (format === 'html') assert.ok(!bytes.includes('=<b>'), 'markup is text')
          const read = await reader.read(bytes, { of, noun: 'deal', id, names: fields.map(({ name }) => name) })
          for (const { name, kind } of of === 'list' ? columns : fields)
            assert.equal(
              comparable(read[name], format),
              comparable(expected(kind, format, of), format),
              `${name} in ${of}`,
            )
        }
      })
    }

    const expected = (kind: SampledKind, format: string, of: string): unknown => {
      const { value, ...sample } = samples[kind]
      if (format === 'html') return 'page' in sample ? sample.page : value
      if (format === 'csv' && of === 'list')
        return typeof value === 'string' && /^[=+\-@]/.test(value) ? `'${value}` : value
      return value
    }

    /** Spaces of pages are one; a text of a number may be written with an exponent by its reader. */
    const comparable = (value: unknown, format: string): unknown => {
      if (value instanceof Date) return value.toISOString().slice(0, 10)
      if (value === 1e-6 || value === -1e-6) return String(value)
      if (value === '-0.000001') return String(-1e-6)
      return format === 'html' ? String(value).replaceAll(/\s+/g, ' ') : String(value)
    }

    test('are right in every dialect', async () => {
      const collection = collectionOf(resourceNamed(service.store.schemas.current, 'deal'))
      const found = async (query: string) => (await get(`/rest/v1/deals?${query}`)).items.map((item: Any) => item.id)
      const hostile = fields.filter(({ name }) => !name.startsWith('filler'))
      for (let at = 0; at < hostile.length; at += queryBounds.terms / 2) {
        const some = hostile.slice(at, at + queryBounds.terms / 2).map(({ name, kind }) => {
          const field = fieldOf(collection, `own.${name}`)
          const term = readTerm(field, 'eq', samples[kind].text)
          assert.ok('values' in term, name)
          return { field, term: term as Term, texts: [samples[kind].text] }
        })
        for (const dialect of dialects) {
          const terms = some.map(({ field, texts }) => dialect.spell(collection, { field, operator: 'eq', texts })[0])
          const whole = dialect.write?.(
            collection,
            some.map(({ term }) => term),
          )
          const spelled = terms.every((term) => term !== undefined) && !dialect.holders ? terms.join('&') : undefined
          for (const query of [whole, spelled]) {
            if (query === undefined || query === '' || query.length > 7500) continue
            assert.deepEqual(await found(query), [id], `${dialect.name}: ${query}`)
          }
        }
      }
      for (const { name, kind } of hostile) {
        const field = `own.${name}`
        const { items } = await get(`/rest/v1/deals?group=${field}&measure=count&sort=${field}`)
        assert.deepEqual(items[0], { [field]: samples[kind].value, count: 1 }, name)
      }
    })

    test('are sorted by if they are called like a direction', async () => {
      const found = async (path: string) => {
        const told = await get(path)
        return (told.items ?? told.value ?? told).map((item: Any) => item.id)[0]
      }
      for (const name of ['asc', 'desc', 'nullsfirst', 'nullslast']) {
        assert.ok(fields.some((field) => field.name === name))
        const field = `own.${name}`
        for (const sort of [`sort=${field}`, `sort=-${field}`, `sort=${field} desc`, `order=${field}.asc.nullslast`])
          assert.equal(await found(`/rest/v1/deals?${sort}`), id, sort)
        // OData 4.01 §11.2.6.2: null is before all values, and after them in a descending order.
        for (const [direction, isFirst] of [...['', ' asc'].map((each) => [each, false] as const), [' desc', true]])
          assert.equal(
            (await found(`/odata/Deals?$orderby=own/${name}${direction}`)) === id,
            isFirst,
            `$orderby ${name}${direction}`,
          )
        for (const direction of ['', '.asc', '.desc.nullslast'])
          assert.equal(await found(`/postgrest/deals?order=own->>${name}${direction}`), id, `order ${name}${direction}`)
      }
      const { status, bytes } = await ask('GET', '/rest/v1/deals?sort=-own.desc desc')
      assert.deepEqual([status, JSON.parse(bytes.toString()).errors[0].code], [400, 'two-directions'])
    })

    test('are right in every door', async () => {
      const all = fields.map(({ name }) => name)
      const attributes = (await get(`/jsonapi/deals/${id}?fields[deals]=own`)).data.attributes
      assert.deepEqual(attributes.own, own())
      const query = `{ deals(where: { name: { eq: "Roof" } }) { nodes { own { ${all.join(' ')} } } } }`
      assert.deepEqual((await shown('POST', '/graphql', { query })).data.deals.nodes, [{ own: own() }])
      const literal = fields.map(({ name, kind }) => `${name}: ${JSON.stringify(samples[kind].value)}`)
      const mutation = `mutation { setDealFields(id: "${id}", own: { ${literal} }) { deal { own { ${all.join(' ')} } } } }`
      assert.deepEqual((await shown('POST', '/graphql', { query: mutation })).data.setDealFields.deal.own, own())
      const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
      const rpc = await shown('POST', '/rpc', call('deals.set-fields', { id, own: own() }))
      assert.deepEqual(rpc.result.own, own())
      const mcp = await shown(
        'POST',
        '/mcp',
        call('tools/call', { name: 'set_deal_fields', arguments: { id, own: own() } }),
        {
          accept: 'application/json, text/event-stream',
        },
      )
      assert.deepEqual(mcp.result.structuredContent.own, own())
      for (const part of [all.slice(0, 60), all.slice(60, 120), all.slice(120)]) {
        const select = part.map((name) => `own/${name}`)
        const { value } = await get(`/odata/Deals?$filter=name eq 'Roof'&$select=${select}&$orderby=own/${part[0]}`)
        assert.deepEqual(Object.keys(value[0].own), part)
        assert.deepEqual({ ...own(), ...value[0].own }, own())
        const [row] = await get(`/postgrest/deals?name=eq.Roof&select=${part.map((name) => `own->${name}`)}`)
        assert.deepEqual({ ...own(), ...row }, own())
      }
    })

    test('do not replace a column of the same name', async () => {
      for (const select of ['name,own->>name', 'own->>name,own->name', '*,own->name', 'name,...customer(name)']) {
        const { status, bytes } = await ask('GET', `/postgrest/deals?select=${select}`)
        const { code, message } = JSON.parse(bytes.toString())
        assert.deepEqual([status, code], [400, 'PGRST100'], select)
        assert.match(message, /name/)
      }
      const select = 'name,text:own->>on,json:own->on'
      const [row] = await get(`/postgrest/deals?name=eq.Roof&select=${select}`)
      const value: unknown = own().on
      assert.deepEqual(row, { name: 'Roof', text: String(value), json: value })
    })

    test('come back from an export and from a form', async (t) => {
      const { bytes } = await ask('GET', '/rest/v1/deals.csv?name=Roof')
      const clear = () =>
        shown('PATCH', `/rest/v1/deals/${id}`, { own: Object.fromEntries(fields.map(({ name }) => [name, null])) })
      await clear()
      const uploaded = await ask('POST', '/imports?on=deal', bytes.toString(), { 'content-type': 'text/csv' })
      const address = uploaded.headers.get('location')
      assert.ok(address, uploaded.bytes.toString())
      const settled = async (): Promise<Any> => {
        for (;;) {
          const state = await get(address)
          if (!state.isRunning) return state
          await pause(10)
        }
      }
      await settled()
      const matched = await ask('GET', address, undefined, { accept: 'text/html' })
      t.diagnostic(`the page of the import: ${matched.bytes.length} bytes`)
      assert.ok(matched.bytes.length < 3_000_000)
      await ask('POST', `${address}/runs`)
      const done = await settled()
      assert.partialDeepStrictEqual(
        done,
        { stage: 'done', updated: 1, rejected: 0 },
        JSON.stringify(done).slice(0, 2000),
      )
      assert.deepEqual((await get(`/rest/v1/deals/${id}`)).own, own())
      await clear()
      const form = new URLSearchParams(fields.map(({ name, kind }) => [`own.${name}`, samples[kind].text]))
      const sent = await ask('POST', `/rest/v1/deals/${id}/field-settings`, form.toString(), {
        'content-type': 'application/x-www-form-urlencoded',
      })
      assert.equal(sent.status, 201, sent.bytes.toString())
      assert.deepEqual((await get(`/rest/v1/deals/${id}`)).own, own())
    })

    test('leave documents and pages of a bearable size', async (t) => {
      const html = { accept: 'text/html' }
      const sizes: readonly (readonly [path: string, most: number, headers?: Record<string, string>])[] = [
        ['/openapi.json', 200_000],
        ['/odata/$metadata', 20_000],
        ['/postgrest', 12_000],
        ['/new/deals', 30_000, html],
        [`/rest/v1/deals/${id}`, 30_000, html],
        ['/rest/v1/deals', 30_000, html],
        ['/board', 15_000, html],
        ['/fields?maxpagesize=200', 30_000, html],
      ]
      for (const [path, most, headers] of sizes) {
        const { status, bytes } = await ask('GET', path, undefined, headers)
        assert.equal(status, 200, path)
        const compressed = gzipSync(bytes).length
        t.diagnostic(`${path.replace(id, '{id}')}: ${bytes.length} bytes, ${compressed} compressed`)
        assert.ok(compressed < most, `${path}: ${compressed}`)
      }
    })
  })
}
