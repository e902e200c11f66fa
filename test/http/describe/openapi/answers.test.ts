import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { parse } from 'yaml'
import { extensible } from '../../../../src/model/nouns/field/field.ts'
import { addedKinds } from '../../../../src/model/source/added-kinds.ts'
import { isObject } from '../../../../src/values/json/is-object.ts'
import { ownSamples } from '../../../support/own-fields/samples.ts'
import { DEALS } from '../../../support/service/making-deals.ts'
import { runService, type TestService } from '../../../support/service/running-service.ts'

// What a service answers whose admins have added fields of every kind and a pipeline, by a validator that reads its
// document; and what makes the document one that generators of clients can use.

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly $ref?: string }[]
  readonly responses: { readonly [status: string]: { readonly $ref: string } }
  readonly 'x-answers'?: { readonly [parameters: string]: object }
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly [section: string]: { readonly [name: string]: Record<string, unknown> } }
}

let service: TestService
let document: Document
let whole: string
const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true })
formats.default(ajv)

async function send(method: string, path: string, body?: unknown) {
  const answer = await service.request(method, path, body === undefined ? {} : { body })
  assert.ok(answer.status < 400, `${path} ${answer.status} ${answer.text}`)
  return answer
}

before(async () => {
  service = await runService()
  await send('POST', '/customers', { name: 'Eve' })
  // There before any field was added.
  await send('POST', `${DEALS}/`, { name: 'Old', price: 1 })
  for (const on of extensible) {
    for (const kind of addedKinds.filter((each) => each !== 'amount' || on === 'deal')) {
      const { options } = ownSamples[kind]
      await send('POST', '/fields', { on, name: `${kind}Field`, title: kind, kind, ...(options && { options }) })
    }
  }
  await send('POST', '/pipelines', { name: 'rental', title: 'Rental', stages: [{ name: 'viewing', title: 'Viewing' }] })
  await send('POST', '/fields', { on: 'deal', name: 'needed', title: 'Needed', kind: 'text', required: true })
  const own = Object.fromEntries(
    addedKinds.filter((kind) => kind !== 'user').map((kind) => [`${kind}Field`, ownSamples[kind].value]),
  )
  await send('POST', `${DEALS}/`, { name: 'Full', price: 2, customerId: 1, own: { ...own, needed: 'x' } })
  await send('POST', `${DEALS}/`, { name: 'Empty', price: 3, pipeline: 'rental', own: { needed: 'y' } })
  whole = (await send('GET', '/openapi.json')).text
  document = JSON.parse(whole) as Document
  ajv.addSchema(document, 'doc')
})
after(() => service.close())

const lastName = (pointer: string): string => pointer.replace(/.*\//, '')

function assertValid(schema: object, value: unknown): void {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"doc#/')) as object)
  assert.ok(validate(value), `${ajv.errorsText(validate.errors)} ${JSON.stringify(value).slice(0, 500)}`)
}

function usualSchema(path: string, method: string, status: number): object {
  const response = document.paths[path]?.[method]?.responses[status]
  assert.ok(response, `${method} ${path} ${status}`)
  const { content } = document.components.responses?.[lastName(response.$ref)] ?? {}
  return (content as { readonly 'application/json': { readonly schema: object } })['application/json'].schema
}

test('lists, things, dry runs and groups are what the document says, with fields that are empty', async () => {
  const list = await send('GET', DEALS)
  assertValid(usualSchema(DEALS, 'get', 200), list.body)
  const { 'x-answers': others = {} } = document.paths[DEALS]?.get ?? {}
  assertValid(others['fields,expand'] ?? {}, (await send('GET', `${DEALS}?fields=name,own.choiceField`)).body)
  assertValid(others['group,measure'] ?? {}, (await send('GET', `${DEALS}?group=own.choiceField&measure=count`)).body)
  for (const { id } of list.body.items as readonly { readonly id: string }[]) {
    assertValid(usualSchema('/rest/v1/deals/{id}', 'get', 200), (await send('GET', `${DEALS}/${id}`)).body)
    const path = '/rest/v1/deals/{id}/add-note'
    assertValid(usualSchema(path, 'put', 200), (await send('PUT', `${DEALS}/${id}/add-note`, { text: 'x' })).body)
  }
  const creation = document.paths['/rest/v1/deals/']?.post
  const sent = { name: 'Tried', price: 4, own: { needed: 'z' } }
  assertValid(creation?.['x-answers']?.['dry-run'] ?? {}, (await send('POST', `${DEALS}/?dry-run=true`, sent)).body)
  assert.equal(creation?.responses['200'], undefined)
})

test('the items of a list have what a thing has, and neither an id nor a name may be missing', () => {
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    if (!/^(Deal|Customer|Task)(Item)?$/.test(name)) continue
    const required = schema.required as readonly string[]
    for (const member of ['id', name.startsWith('Task') ? 'title' : 'name', 'own', 'revision'])
      assert.ok(required.includes(member), `${name}.${member}`)
  }
})

test('each filter is a parameter of its own, also of added fields, and all of them are understood', async () => {
  const parameters = (document.paths[DEALS]?.get?.parameters ?? []).map(({ $ref = '' }) => lastName($ref))
  const names = parameters
    .filter((each) => /Filter\./.test(each))
    .map((each) => String(document.components.parameters?.[each]?.name))
  for (const name of [
    'price.gte',
    'name.contains',
    'own.choiceField',
    'own.integerField.lt',
    'stage',
    'owner.null',
    'q',
  ])
    assert.ok(names.includes(name), name)
  const described = JSON.stringify(document.components.parameters?.['Filter.price.gte'])
  for (const spelling of ['>=', '[gte]']) assert.ok(described.includes(spelling), described)
  const { body } = await send('GET', `${DEALS}?price.gte=2&own.choiceField=it%27s%3F&name.starts=F`)
  assert.equal((body.items as readonly unknown[]).length, 1)
})

test('an operation has the name of its action, and no schema the name that generators make of it', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  for (const id of ['holdDeal', 'changeDealPrice', 'createDeal', 'listDeals', 'readDeal', 'updateDeal', 'deleteDeal'])
    assert.ok(ids.includes(id), id)
  const schemas = new Set(Object.keys(document.components.schemas ?? {}))
  const endings = ['', 'Params', 'Body', 'Data', 'Response', 'Responses', 'Error', 'Errors', 'Result', 'PathParameters']
  const made = ids.flatMap((id) => endings.map((ending) => id.charAt(0).toUpperCase() + id.slice(1) + ending))
  assert.deepEqual(
    made.filter((name) => schemas.has(name)),
    [],
  )
})

test('nothing is required because of a default, and equal parts are one schema', () => {
  const times = new Map<string, number>()
  function look(value: unknown, isPart: boolean): void {
    if (Array.isArray(value)) for (const each of value) look(each, false)
    if (!isObject(value)) return
    assert.equal(Object.hasOwn(value, 'default') && value.type !== undefined, false, JSON.stringify(value))
    const { description: _said, readOnly: _assigned, ...own } = value
    const text = JSON.stringify(own)
    if (isPart && typeof own.type === 'string' && text.length > 60) times.set(text, (times.get(text) ?? 0) + 1)
    for (const [name, each] of Object.entries(value))
      if (!/^(examples|enum|required)$/.test(name)) look(each, name !== 'properties')
  }
  for (const schema of Object.values(document.components.schemas ?? {})) {
    for (const each of Object.values((schema.properties ?? {}) as object)) look(each, true)
  }
  assert.deepEqual(
    [...times].filter(([, count]) => count > 1),
    [],
  )
})

test('the same as YAML, and small ones', async () => {
  const yaml = await send('GET', '/openapi.yaml')
  assert.equal(yaml.headers['content-type'], 'application/yaml')
  assert.deepEqual(parse(yaml.text), document)
  const verb = (await send('GET', '/openapi.json?form=verb&tag=deals')).body as unknown as Document
  assert.ok(verb.paths['/rest/v1/deals/{id}/hold']?.put?.operationId === 'holdDeal')
  assert.equal(verb.paths['/rest/v1/deals/{id}/held'], undefined)
  assert.equal(verb.paths['/customers'], undefined)
  const door = (await send('GET', '/openapi.json?door=odata')).body as unknown as Document
  assert.ok(door.paths['/odata/Deals({id})/Dealdesk.Hold']?.post)
  for (const [query, near] of [
    ['form=verbs', 'verb'],
    ['tag=deal', 'deals'],
    ['door=odat', 'odata'],
  ]) {
    const { status, body } = await service.request('GET', `/openapi.json?${query}`)
    assert.equal(status, 400)
    assert.match(body.detail, new RegExp(`did you mean ${near}\\?`))
  }
})
