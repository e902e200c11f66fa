import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { doors } from '../../../../src/doors/doors.ts'
import { addressesAt } from '../../../../src/http/contract/addresses.ts'
import { documentedPath, documentSteps } from '../../../../src/http/describe/openapi/document.ts'
import { representations } from '../../../../src/representations/representations.ts'
import { endpointsOf } from '../../../../src/service/endpoints.ts'
import { isObject } from '../../../../src/values/json/is-object.ts'
import { type Exchange, openApi, undocumented, validates } from '../../../support/openapi/documented.ts'
import { deal as dealResource, schema } from '../../../support/schema.ts'
import { runService, type TestService } from '../../../support/service/running-service.ts'

const endpoints = endpointsOf(schema)

const operations = dealResource.operations

let service: TestService
before(async () => {
  service = await runService()
})
after(() => service.close())

const documented = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** OpenAPI 3.1 has no name for QUERY. */
const methodOf = (name: string): string => name.replace('x-', '').toUpperCase()

test('every route is in the document, and nothing else is', () => {
  const served = endpoints
    .filter(({ forPeople }) => !forPeople)
    .map((endpoint) => `${endpoint.method} ${documentedPath(endpoint)}`)
  const written = documented.map(({ method, path }) => `${methodOf(method)} ${path}`)
  assert.deepEqual(written.toSorted(), served.toSorted())
})

test('every operation is there in each of its forms', () => {
  for (const { name, words, to } of operations) {
    if (to === 'nothing') continue
    const parts = [name, ...words.participles, words.noun]
    for (const part of parts) assert.ok(openApi.paths[`/rest/v1/deals/{id}/${part}`], part)
  }
})

test('the service gives the document, to everybody', async () => {
  const { status, headers, body } = await service.request('GET', '/openapi.json')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'application/json')
  assert.deepEqual({ ...body, info: 0 }, { ...openApi, info: 0 })
})

test('every operation has an id of its own, a group and a summary', () => {
  const ids = documented.map(({ operation }) => String(operation.operationId))
  assert.equal(new Set(ids).size, ids.length)
  for (const { operation } of documented) assert.ok(operation.summary && operation.tags)
})

test('every reference leads somewhere, and every component is used', () => {
  const text = JSON.stringify(openApi)
  const used = new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([\w.-]+)"/g)].map(([, a, b]) => `${a}/${b}`))
  const { securitySchemes: _, ...sections } = openApi.components ?? {}
  const there = Object.entries(sections).flatMap(([section, parts]) => Object.keys(parts).map((n) => `${section}/${n}`))
  assert.deepEqual([...used].toSorted(), there.toSorted())
})

test('every schema is one', () => {
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  for (const [name, schema] of Object.entries(openApi.components?.schemas ?? {})) {
    assert.ok(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`)
  }
})

/** A representation is no member: a page has no length that could be promised. */
const unbounded = new Set(representations.flatMap(({ schema }) => schema?.name ?? []).concat('Stream', 'Text'))

test('every text, number, list and map has its bounds and its form', () => {
  const bare: string[] = []
  function look(value: unknown, at: string): void {
    if (Array.isArray(value)) for (const [n, each] of value.entries()) look(each, `${at}/${n}`)
    if (!isObject(value)) return
    const has = (...keywords: readonly string[]): boolean => keywords.some((each) => Object.hasOwn(value, each))
    const rules: { readonly [type: string]: boolean } = {
      string: has('enum', 'const') || (has('maxLength') && has('format', 'pattern')),
      integer: has('format') && has('minimum', 'exclusiveMinimum') && has('maximum', 'exclusiveMaximum'),
      array: has('maxItems'),
      object: !isObject(value.additionalProperties) || has('maxProperties'),
    }
    for (const type of [value.type].flat()) if (rules[String(type)] === false) bare.push(`${at} ${type}`)
    // What is shown or preset is no schema.
    for (const [name, each] of Object.entries(value)) {
      if (!['examples', 'example', 'default', 'enum', 'const'].includes(name)) look(each, `${at}/${name}`)
    }
  }
  const { schemas, ...others } = openApi.components ?? {}
  const bounded = Object.entries(schemas ?? {}).filter(([name]) => !unbounded.has(name))
  look({ schemas: Object.fromEntries(bounded), ...others, paths: openApi.paths }, '')
  assert.deepEqual(bare, [])
})

test('the examples are what their schemas say', () => {
  for (const [name, schema] of Object.entries(openApi.components?.schemas ?? {})) {
    for (const example of (schema.examples ?? []) as unknown as unknown[]) {
      assert.equal(validates(`components/schemas/${name}`, example), undefined, name)
    }
  }
})

test('an endpoint says what it answers', () => {
  const silent = endpoints
    .filter(({ describes, forPeople }) => describes === undefined && !forPeople)
    .map(({ path }) => path)
  assert.deepEqual(silent, [])
})

test('what only pages load or send to is not in it', () => {
  for (const path of ['/style.css', '/app.js', '/filters/{view}']) assert.equal(openApi.paths[path], undefined, path)
})

test('a deal is made at the address with its slash, as everybody writes it', () => {
  assert.ok(openApi.paths['/rest/v1/deals/']?.post)
  assert.ok(openApi.paths['/rest/v1/deals']?.get)
  assert.ok(openApi.paths['/command/{name}/']?.post)
})

test('an answer without a body has no schema', () => {
  const { responses } = openApi.paths['/command/{name}/']?.post ?? {}
  const done = JSON.stringify(responses?.['200'])
  const name = /responses\/(\w+)/.exec(done)?.[1] ?? ''
  assert.equal(openApi.components?.responses?.[name]?.content, undefined)
})

test('every amount that the service takes is one by its schema, read as any validator does', () => {
  assert.doesNotMatch(JSON.stringify(openApi), /multipleOf/)
  for (const price of [1.11, 2.22, 4.44, 0.07, 999_999_999_999.99]) {
    assert.equal(validates('components/schemas/CreateDealInput', { name: 'x', price }), undefined, String(price))
  }
})

test('what the service assigns is read-only, and not offered where it is refused', () => {
  const schemas = openApi.components?.schemas
  for (const name of ['id', 'createdAt', 'updatedAt', 'revision', 'links']) {
    assert.equal(schemas?.CreateCustomerInput?.properties?.[name], undefined, name)
    for (const schema of ['CustomerReplacement', 'CustomerAttributes', 'Customer', 'DealAttributes', 'Deal']) {
      assert.equal(schemas?.[schema]?.properties?.[name]?.readOnly, true, `${schema} ${name}`)
    }
  }
  assert.equal(schemas?.DealAttributes?.properties?.paid?.readOnly, true)
  assert.equal(schemas?.DealAttributes?.properties?.price?.readOnly, undefined)
})

test('a text with control characters is none, also where it has a pattern of its own', () => {
  const pointer = 'components/schemas/CreateCustomerInput'
  assert.equal(validates(pointer, { name: 'x', email: 'ana@example.com' }), undefined)
  assert.notEqual(validates(pointer, { name: 'x', email: 'a\u0007na@example.com' }), undefined)
  assert.notEqual(validates(pointer, { name: 'x', email: 'ana' }), undefined)
})

test('it is read by what one wants: a heading for each resource, the forms of an operation together', () => {
  const headings = (openApi.tags as unknown as { readonly name: string }[]).map(({ name }) => name)
  assert.deepEqual(headings.slice(0, 4), ['Customers', 'Customers: History', 'Deals', 'Deals: Progress'])
  const progress = documented.filter(({ operation }) => String(operation.tags) === 'Deals: Progress')
  assert.deepEqual(
    progress.slice(0, 3).map(({ method, path }) => `${method} ${path}`),
    ['put /rest/v1/deals/{id}/unhold', 'put /rest/v1/deals/{id}/unholded', 'post /rest/v1/deals/{id}/unholds'],
  )
  for (const { operation, path } of documented) assert.doesNotMatch(String(operation.tags), /participle|noun/i, path)
})

test('it stays small', () => {
  const { byteLength } = gzipSync(JSON.stringify(openApi))
  assert.ok(byteLength <= 90_000, `${byteLength} bytes`)
})

const [example] = (openApi.components?.schemas?.Deal?.examples ?? []) as unknown as readonly object[]
const deal = JSON.stringify(example)
const asDocumented: Exchange = {
  method: 'PUT',
  path: '/rest/v1/deals/01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10/hold',
  type: 'application/json',
  body: '{"reason":"credit check"}',
  answer: { status: 200, headers: { 'content-type': 'application/json', etag: '"2-abc"' }, text: deal },
}
const withAnswer = (change: Partial<Exchange['answer']>): Exchange => ({
  ...asDocumented,
  answer: { ...asDocumented.answer, ...change },
})

test('spellings that are read are described: brackets of related things, spaces in lists, a QUERY that has not changed', async () => {
  for (const query of [
    'customer[country]=DE&customer[age][gte]=18&filter[customer][id]=1,2&filter[customer][name][starts]=a',
    'group=stage,%20currency&measure=count,%20sum.price&sort=%20stage,%20-currency',
    'fields=id,%20name&expand=customer,%20tasks',
  ]) {
    const { status, text } = await service.request('GET', `/rest/v1/deals?${query}`)
    assert.equal(status, 200, text)
  }
  const same = await service.request('QUERY', '/rest/v1/deals', { body: {}, headers: { 'if-none-match': '*' } })
  assert.equal(same.status, 304)
})

test('the check of exchanges notices what is not documented', () => {
  assert.equal(undocumented(asDocumented), undefined)
  const wrong: { readonly [why: string]: Exchange } = {
    'status 418': withAnswer({ status: 418 }),
    'header x-new': withAnswer({ headers: { ...asDocumented.answer.headers, 'x-new': '1' } }),
    'header set-cookie': withAnswer({ headers: { ...asDocumented.answer.headers, 'set-cookie': ['a=1'] } }),
    'text/plain': withAnswer({ headers: { 'content-type': 'text/plain' } }),
    surprise: withAnswer({ text: deal.replace('"name"', '"surprise"') }),
    'there was none': withAnswer({ text: '' }),
    reason: { ...asDocumented, body: '{}' },
    'parameter dry': { ...asDocumented, path: `${asDocumented.path}?dry=true` },
  }
  for (const [why, exchange] of Object.entries(wrong)) assert.match(undocumented(exchange) ?? '', new RegExp(why), why)
})

test('a cookie is set only where people sign in or out', () => {
  const headers = { location: '/sign-in', 'set-cookie': ['dealdesk_session=; Max-Age=0'] }
  const led = (method: string, path: string): Exchange => ({
    ...{ method, path, type: undefined, body: '' },
    answer: { status: 303, headers, text: '' },
  })
  for (const path of ['/sign-in', '/sign-out', '/invitations/x', '/set-up']) {
    assert.equal(undocumented(led('POST', path)), undefined, path)
  }
  for (const path of ['/sign-in/provider', '/sign-in/callback']) {
    assert.equal(undocumented(led('GET', path)), undefined, path)
  }
  for (const path of ['/customers', '/', '/assets/x', '/nothing']) {
    assert.match(undocumented(led('GET', path)) ?? '', /set-cookie|status 303/, path)
  }
})

test('the document is made in steps, so that others are answered while it is made', async () => {
  const { body } = await service.request('GET', '/openapi.json')
  const steps = documentSteps(schema, endpoints, { version: String(body.version), addresses: addressesAt(''), doors })
  let step = steps.next()
  let count = 0
  for (; !step.done; step = steps.next()) count++
  assert.ok(count > endpoints.filter(({ forPeople }) => !forPeople).length)
  assert.deepEqual(JSON.parse(JSON.stringify(step.value.paths)), body.paths)
})
