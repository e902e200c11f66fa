import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { validateSchema } from 'graphql'
import { doors } from '../../../../src/doors/doors.ts'
import { graphqlSchema } from '../../../../src/doors/graphql/schema/schema.ts'
import { schemasOf } from '../../../../src/doors/mcp/tool-schemas.ts'
import { csdlJson } from '../../../../src/doors/odata/model/csdl-json.ts'
import { csdlXml } from '../../../../src/doors/odata/model/csdl-xml.ts'
import { addressesAt } from '../../../../src/http/contract/addresses.ts'
import { openApiDocument } from '../../../../src/http/describe/openapi/document.ts'
import { actionOf } from '../../../../src/http/describe/vocabulary.ts'
import { valueIn } from '../../../../src/model/declaration/operation.ts'
import type { Thing } from '../../../../src/model/declaration/resource.ts'
import type { Resource, Schema } from '../../../../src/model/declaration/schema.ts'
import { buildSchema, NOTHING_ADDED } from '../../../../src/model/schema/build-schema.ts'
import { creationOf } from '../../../../src/model/schema/resources.ts'
import type { AddedField } from '../../../../src/model/source/added-field.ts'
import { addedKinds } from '../../../../src/model/source/added-kinds.ts'
import { type PipelineSource, SALES } from '../../../../src/model/source/pipeline-source.ts'
import { endpointsOf } from '../../../../src/service/endpoints.ts'
import { capitalized } from '../../../../src/values/kinds/text.ts'
import { runService } from '../../../support/service/running-service.ts'

// Whatever admins make of the model, it is described, its examples are done, and what exists is as described.

const fieldOf = (kind: AddedField['kind'], more: Partial<AddedField> = {}): AddedField => ({
  ...{ on: 'deal', name: kind, title: `The ${kind}`, kind },
  ...((kind === 'choice' || kind === 'choices') && { options: { values: ['a', 'b'].map(choice) } }),
  ...(kind === 'link' && { options: { to: 'task' } }),
  ...more,
})
const choice = (value: string) => ({ value, title: value })
const closing = (value: string) => ({ ...choice(value), closing: true })

const [lead] = SALES.stages
const pipelineOf = (stages: readonly object[], more: Partial<PipelineSource> = {}): PipelineSource => ({
  ...{ ...SALES, name: 'rental', title: 'Rental' },
  stages: stages.map((each) => ({ ...lead, ...each })),
  ...more,
})

const required = addedKinds.map((kind) => fieldOf(kind, { required: true }))
const now = '2026-11-15T04:05:05.173Z'

const models: { readonly [what: string]: { fields?: readonly AddedField[]; pipelines?: readonly PipelineSource[] } } = {
  'nothing is added': {},
  'required fields of every kind': { fields: required },
  'required fields of customers and tasks': {
    fields: ['customer', 'task'].flatMap((on) =>
      required.filter(({ kind }) => kind !== 'amount').map((f) => ({ ...f, on })),
    ),
  },
  'required and unique fields': {
    fields: (['text', 'integer', 'number', 'date', 'email', 'phone', 'url'] as const).map((kind) =>
      fieldOf(kind, { required: true, unique: true, indexed: true }),
    ),
  },
  'required fields that few values meet': {
    fields: [
      fieldOf('text', { required: true, options: { max: 1 } }),
      fieldOf('choice', { required: true, options: { values: [closing('a'), choice('b')] } }),
      fieldOf('text', { name: 'gone', required: true, retiredAt: now }),
    ],
  },
  'required choices, of which none stays': {
    fields: (['choice', 'choices'] as const).map((kind) =>
      fieldOf(kind, { required: true, options: { values: [closing('a')] } }),
    ),
  },
  'names that mean something elsewhere': {
    fields: ['id', 'type', 'value', 'constructor', 'links', 'data', 'meta', 'toString'].map((name) =>
      fieldOf('text', { name, required: true }),
    ),
  },
  'a first stage that requires fields': {
    fields: [fieldOf('integer')],
    pipelines: [
      pipelineOf([
        { name: 'offer', requires: ['owner', 'customerId', 'own.integer', 'customer.email', 'completionDate'] },
      ]),
    ],
  },
  'every stage but one is closing': {
    pipelines: [
      pipelineOf([{ name: 'lead', closing: true }, { name: 'proposal', closing: true }, { name: 'last' }]),
      pipelineOf([{ name: 'x' }], { name: 'sales', default: false, closing: true, position: 1 }),
    ],
  },
  'every stage is closing': { pipelines: [pipelineOf([{ name: 'lead', closing: true }])] },
}

for (const [what, { fields = [], pipelines = [SALES] }] of Object.entries(models)) {
  suite(what, () => {
    const schema = buildSchema({ ...NOTHING_ADDED, version: 1, fields, pipelines })

    test('examples are decided, unless nothing could be', () => {
      const isHopeless = /none stays|every stage is closing/.test(what)
      for (const resource of schema.resources) {
        const { decide, examples } = creationOf(resource)
        for (const example of examples) {
          const decision = decide(resource.blank(idOf(resource), now) as unknown as Thing, example, circumstances)
          if (isHopeless) continue
          assert.ok('thing' in decision, `${resource.name} ${JSON.stringify(decision)}`)
          const { thing } = decision
          const entered = resource.entry?.entered(undefined, thing as never, schema)
          assert.notEqual(entered?.isClosing, true)
          const missing = entered?.requires.filter((name) => resource.names.includes(name) && !valueIn(thing, name))
          assert.deepEqual(missing ?? [], [])
        }
      }
    })

    test('the document is made, and what exists is as it says', () => {
      const document = documentOf(schema)
      const valid = new Ajv2020({ strict: false, validateFormats: false })
      for (const [name, each] of Object.entries(document.components.schemas))
        assert.ok(valid.validateSchema(each), `${name} ${valid.errorsText()}`)
      const validates = validatorOf(document)
      for (const resource of schema.resources) {
        const name = capitalized(resource.name)
        const action = creationOf(resource).words.action
        for (const example of document.components.schemas[name]?.examples ?? [])
          assert.equal(validates(name, example), undefined)
        for (const example of creationOf(resource).examples)
          if (!/none stays/.test(what)) assert.equal(validates(`${action}Input`, example), undefined)
        // An added field has no value in what was there before it, whether it is required or not.
        assert.equal(validates(`${name}Part`, JSON.parse(resource.toJson(withoutOwn(resource) as never))), undefined)
      }
    })

    test('the doors describe it', () => {
      assert.deepEqual(validateSchema(graphqlSchema(schema)), [])
      assert.ok(csdlXml(schema, '4.0') && csdlJson(schema, '4.01'))
      const ajv = new Ajv2020({ strict: false })
      formats.default(ajv)
      for (const operation of schema.operations.filter(({ on }) => on.shapes === undefined)) {
        const validate = ajv.compile(schemasOf(actionOf(operation)).inputSchema)
        for (const example of operation.examples) {
          const id = operation.to === 'nothing' ? {} : { id: idOf(operation.on) }
          assert.ok(validate({ ...id, ...example }), `${operation.words.action} ${ajv.errorsText(validate.errors)}`)
        }
      }
    })
  })
}

test('a service whose deals have a required field describes itself', async () => {
  const service = await runService()
  const body = { on: 'deal', name: 'branch', title: 'Branch', kind: 'text', required: true }
  assert.equal((await service.request('POST', '/fields', { body })).status, 201)
  const tools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  for (const [method, path, sent] of [
    ['GET', '/openapi.json'],
    ['GET', '/docs/create'],
    ...doors.map(({ name }) => ['GET', `/docs/doors/${name}`]),
    ['GET', '/odata/$metadata'],
    ['GET', '/postgrest/'],
    ['POST', '/graphql', { query: '{ __schema { types { name } } }' }],
    ['POST', '/mcp', tools],
  ] as const) {
    const headers = path.startsWith('/docs') ? { accept: 'text/html' } : {}
    const { status, text } = await service.request(String(method), String(path), { headers, body: sent })
    assert.ok(status === 200 || status === 303, `${path} ${status} ${text.slice(0, 200)}`)
  }
  await service.close()
})

const circumstances = { now, exists: () => true, queryFaults: () => [] }

const idOf = ({ example }: Resource) => (example as Partial<Thing>).id ?? 1

const withoutOwn = (resource: Resource): Thing =>
  ({ ...resource.blank(idOf(resource), now), ...resource.example, revision: 1 }) as unknown as Thing

const documentOf = (schema: Schema): Described =>
  openApiDocument(schema, endpointsOf(schema), {
    ...{ version: '0.0.0', addresses: addressesAt(''), doors },
  }) as unknown as Described

interface Described {
  readonly components: { readonly schemas: { readonly [name: string]: { readonly examples?: readonly unknown[] } } }
}

/** What is wrong with a value by a schema of the document, or undefined. */
function validatorOf(document: Described): (name: string, value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false, code: { optimize: false } })
  formats.default(ajv)
  ajv.addSchema(document, 'doc')
  return (name, value) => {
    const validate = ajv.getSchema(`doc#/components/schemas/${name}`)
    assert.ok(validate, name)
    return validate(value) ? undefined : `${name} ${ajv.errorsText(validate.errors)} ${JSON.stringify(value)}`
  }
}
