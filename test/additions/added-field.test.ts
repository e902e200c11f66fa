import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { AddedField } from '../../src/model/build/added-field.ts'
import { buildSchema, NOTHING_ADDED } from '../../src/model/build/build-schema.ts'
import { resourceNamed } from '../../src/model/resources.ts'
import { fieldOf } from '../../src/queries/collection.ts'
import { collectionOf } from '../../src/queries/collections.ts'
import { dialects } from '../../src/queries/dialects/dialects.ts'
import { representations } from '../../src/representations/representations.ts'
import { openService, type TestService } from '../support/service/running-service.ts'

// One more field of deals and customers while the service runs: everything that is made of the schema has it at once.

const fields: readonly AddedField[] = [
  {
    on: 'deal',
    name: 'region',
    title: 'Region',
    kind: 'choice',
    options: { values: ['north', 'south'].map((value) => ({ value, title: value })) },
  },
  { on: 'customer', name: 'region', title: 'Region', kind: 'text', options: { max: 40 } },
]
const schema = buildSchema({ ...NOTHING_ADDED, version: 1, fields })

/** What is compressed, and what has no place for it: an entry of a calendar or a feed has a title and a time. */
const withoutFields = ['xlsx', 'ics', 'atom']

for (const store of ['sqlite', 'postgres']) {
  describe(`a field that is added while the service runs, on ${store}`, () => {
    let service: TestService
    let early: string
    let deal: string
    /** A customer from before. */
    let known: number

    // The harness holds exchanges against the document of the source, which knows no such field.
    async function ask(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
      const type = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(service.url + path, { method, headers: { ...(body && type), ...headers }, ...sent })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    }

    async function shown(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
      const { status, text } = await ask(method, path, body)
      assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
      return JSON.parse(text) as Record<string, unknown>
    }

    const namesAt = async (path: string): Promise<readonly unknown[]> =>
      ((await shown('GET', path)).items as readonly { readonly name: string }[]).map(({ name }) => name)

    const page = (path: string) => ask('GET', path, undefined, { accept: 'text/html' })

    before(async () => {
      process.env.TEST_STORE = store
      service = await openService()
      early = String((await shown('POST', '/rest/v1/deals', { name: 'Early', price: 1 })).id)
      known = Number((await shown('POST', '/customers', { name: 'Eve' })).id)
      assert.doesNotMatch((await page('/rest/v1/deals')).text, /value="region"/)
      const refused = await ask('POST', '/rest/v1/deals', { name: 'Roof', price: 2, region: 'north' })
      assert.equal(refused.status, 422)
      for (const table of ['deals', 'customers']) {
        await service.database.rows(`ALTER TABLE ${table} ADD COLUMN region TEXT`)
      }
      await service.store.schemas.adopt({ ...NOTHING_ADDED, version: 1, fields })
      deal = String((await shown('POST', '/rest/v1/deals', { name: 'Roof', price: 2, region: 'north' })).id)
    })
    after(() => service.close())

    test('is checked, kept, changed and told', async () => {
      assert.equal((await shown('GET', `/rest/v1/deals/${deal}`)).region, 'north')
      const wrong = await ask('POST', '/rest/v1/deals', { name: 'Roof', price: 2, region: 'west' })
      assert.deepEqual([wrong.status, JSON.parse(wrong.text).errors[0].pointer], [422, '/region'])
      const { id } = await shown('POST', '/customers', { name: 'Ann' })
      assert.equal((await shown('PATCH', `/customers/${id}`, { region: 'Ost' })).region, 'Ost')
      const { items } = await shown('GET', `/customers/${id}/history?sort=-revision`)
      const [latest] = items as readonly { readonly params: object }[]
      assert.deepEqual(latest?.params, { region: 'Ost' })
      assert.equal((await shown('GET', `/customers/${id}/history/1`)).revision, 1)
      await service.database.settled()
      const events = (await shown('GET', `/events?customer=${id}&sort=-sequence`)).items as readonly {
        readonly data: { readonly customer: { readonly region: string } }
      }[]
      assert.equal(events[0]?.data.customer.region, 'Ost')
    })

    test('is asked for in every dialect, sorted by and grouped by', async () => {
      const collection = collectionOf(resourceNamed(schema, 'deal'))
      const comparison = { field: fieldOf(collection, 'region'), operator: 'eq', texts: ['north'] } as const
      const spelled = dialects.flatMap((dialect) => dialect.spell(collection, comparison))
      assert.ok(spelled.length >= 3)
      for (const query of spelled) assert.deepEqual(await namesAt(`/rest/v1/deals?${query}`), ['Roof'], query)
      assert.deepEqual(await namesAt('/rest/v1/deals?region.null=true'), ['Early'])
      assert.deepEqual(await namesAt('/rest/v1/deals?sort=-region,name'), ['Roof', 'Early'])
      const { items } = await shown('GET', '/rest/v1/deals?group=region&measure=count&region.null=false')
      assert.deepEqual(items, [{ region: 'north', count: 1 }])
    })

    test('is in every representation of one deal and of a list', async () => {
      for (const { name } of representations.filter((each) => !withoutFields.includes(each.name))) {
        for (const path of [`/rest/v1/deals/${deal}`, '/rest/v1/deals']) {
          const { status, text } = await ask('GET', `${path}?format=${name}&fields=name,region`)
          if (status === 406) continue
          assert.equal(status, 200, `${name} ${path}: ${text}`)
          assert.match(text, /north/i, `${name} ${path}`)
        }
      }
    })

    test('is in every door', async () => {
      const rpc = await shown('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'deals.get', params: { id: deal } })
      assert.equal((rpc.result as { readonly region: string }).region, 'north')
      const jsonapi = await shown('GET', `/jsonapi/deals/${deal}`)
      const { attributes } = jsonapi.data as { readonly attributes: { readonly region: string } }
      assert.equal(attributes.region, 'north')
      const odata = (await shown('GET', `/odata/Deals?$filter=${encodeURIComponent("region eq 'north'")}`)).value
      assert.deepEqual(
        (odata as readonly { readonly name: string }[]).map(({ name }) => name),
        ['Roof'],
      )
      assert.match((await ask('GET', '/odata/$metadata')).text, /Name="region"/)
      const rows = (await shown('GET', '/postgrest/deals?select=name,region&region=eq.north')) as unknown
      assert.deepEqual(rows, [{ name: 'Roof', region: 'north' }])
      const query = `{ deal(id: "${deal}") { name region } }`
      const graphql = (await shown('POST', '/graphql', { query })).data as { readonly deal: object }
      assert.deepEqual(graphql.deal, { name: 'Roof', region: 'north' })
      const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      const accept = { accept: 'application/json, text/event-stream' }
      assert.match((await ask('POST', '/mcp', mcp, accept)).text, /"region"/)
    })

    test('is in the documents and on the pages', async () => {
      const { components } = JSON.parse((await ask('GET', '/openapi.json')).text) as {
        readonly components: {
          readonly schemas: { readonly Deal: { readonly properties: object; readonly required: readonly string[] } }
        }
      }
      const { properties, required } = components.schemas.Deal
      assert.ok('region' in properties)
      // What was there before shows it from its next change on.
      const older = await shown('GET', `/rest/v1/deals/${early}`)
      assert.deepEqual(
        required.filter((name) => !Object.hasOwn(older, name)),
        [],
      )
      assert.match((await page('/docs/create')).text, /region/)
      assert.match((await page(`/rest/v1/deals/${deal}`)).text, /Region/)
      assert.match((await page('/rest/v1/deals?fields=name,region')).text, /<th[^>]*>.*Region/)
      assert.match((await page('/new/deals')).text, /name="region"/)
      assert.match((await page('/customers')).text, /Region/)
      // Among the columns that can be chosen, on a page that was shown before as well.
      assert.match((await page('/rest/v1/deals')).text, /name="fields\[\]" value="region"/)
    })

    test('is empty in what was there before and is changed by an import', async () => {
      const { imports, schemas } = service.store
      const customer = resourceNamed(schemas.current, 'customer')
      const step = { id: 'added-field', runner: 'test', lease: 1000, upto: 1, position: 1, rejected: 0 }
      const written = await imports.write(
        customer,
        [{ id: known, name: 'Eva' }],
        { ...step, records: { resource: 'customers', name: '', size: 0 } },
        10,
      )
      assert.equal(written?.counts.updated, 1)
      const { name, region } = await shown('GET', `/customers/${known}`)
      assert.deepEqual([name, region], ['Eva', null])
    })

    test('is not known any more when the schema before is taken up again', async () => {
      await service.store.schemas.adopt({ ...NOTHING_ADDED, version: 2, fields: [] })
      assert.equal((await ask('GET', '/rest/v1/deals?region=north')).status, 400)
      assert.equal((await shown('PATCH', `/rest/v1/deals/${early}`, { name: 'Earlier' })).region, undefined)
    })
  })
}
