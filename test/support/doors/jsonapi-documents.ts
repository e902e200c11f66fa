import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

// The structure of documents as https://jsonapi.org/format/1.1 has it. No package has an official schema of it.

const member = '^@?[a-zA-Z0-9]([a-zA-Z0-9_-]*[a-zA-Z0-9])?$'
const objectOf = (properties: object, required: readonly string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
  ...more,
})
const ref = (name: string) => ({ $ref: `#/$defs/${name}` })
const listOf = (items: object) => ({ type: 'array', items, uniqueItems: true })
const identity = { type: { type: 'string', pattern: member }, id: { type: 'string', minLength: 1 } }

const schema = {
  $defs: {
    meta: { type: 'object', propertyNames: { pattern: member } },
    link: {
      oneOf: [
        { type: 'string', format: 'uri-reference' },
        { type: 'null' },
        objectOf({ href: { type: 'string', format: 'uri-reference' }, meta: ref('meta') }, ['href']),
      ],
    },
    identifier: objectOf({ ...identity, meta: ref('meta') }, ['type', 'id']),
    linkage: { oneOf: [{ type: 'null' }, ref('identifier'), listOf(ref('identifier'))] },
    relationship: objectOf(
      {
        links: objectOf(
          Object.fromEntries(['self', 'related', 'first', 'last', 'prev', 'next'].map((name) => [name, ref('link')])),
          [],
          { anyOf: [{ required: ['self'] }, { required: ['related'] }] },
        ),
        data: ref('linkage'),
        meta: ref('meta'),
      },
      [],
      { minProperties: 1 },
    ),
    /** Attributes and relationships share their names, and none of them is called type or id. */
    field: { pattern: member, not: { enum: ['type', 'id'] } },
    resource: objectOf(
      {
        ...identity,
        attributes: { type: 'object', propertyNames: ref('field') },
        relationships: { type: 'object', propertyNames: ref('field'), additionalProperties: ref('relationship') },
        links: objectOf({ self: ref('link') }),
        meta: ref('meta'),
      },
      ['type', 'id'],
    ),
    error: objectOf(
      {
        id: { type: 'string' },
        links: objectOf({ about: ref('link'), type: ref('link') }),
        status: { type: 'string', pattern: '^[45]\\d\\d$' },
        code: { type: 'string' },
        title: { type: 'string' },
        detail: { type: 'string' },
        source: objectOf({
          pointer: { type: 'string', format: 'json-pointer' },
          parameter: { type: 'string' },
          header: { type: 'string' },
        }),
        meta: ref('meta'),
      },
      ['id', 'links', 'status', 'code', 'title', 'detail'],
    ),
    result: objectOf({ data: { oneOf: [ref('resource'), ref('linkage')] }, meta: ref('meta') }),
  },
  ...objectOf(
    {
      jsonapi: objectOf(
        { version: { const: '1.1' }, ext: listOf({ type: 'string', format: 'uri' }), meta: ref('meta') },
        ['version'],
      ),
      data: { oneOf: [{ type: 'null' }, ref('resource'), listOf(ref('resource')), listOf(ref('identifier'))] },
      errors: { ...listOf(ref('error')), minItems: 1 },
      meta: ref('meta'),
      links: objectOf(
        Object.fromEntries(
          ['self', 'related', 'describedby', 'first', 'last', 'prev', 'next'].map((name) => [name, ref('link')]),
        ),
      ),
      included: listOf(ref('resource')),
      'atomic:results': { type: 'array', minItems: 1, items: ref('result') },
    },
    ['jsonapi'],
    {
      anyOf: [
        { required: ['data'] },
        { required: ['errors'] },
        { required: ['meta'] },
        { required: ['atomic:results'] },
      ],
      dependentSchemas: {
        included: { required: ['data'] },
        errors: { not: { anyOf: [{ required: ['data'] }, { required: ['atomic:results'] }] } },
        'atomic:results': { not: { anyOf: [{ required: ['data'] }, { required: ['included'] }] } },
      },
    },
  ),
}

const ajv = new Ajv2020({ strict: false, code: { optimize: false }, inlineRefs: false })
formats.default(ajv)
// An empty list is one of resources and one of identifiers.
const text = JSON.stringify(schema).replaceAll('"oneOf"', '"anyOf"')
const isValid = ajv.compile(JSON.parse(text))

/** A document as the tests look at it. */
export interface JsonApiDocument {
  readonly data: JsonApiResource & readonly JsonApiResource[]
  readonly included: readonly JsonApiResource[]
  readonly errors: readonly JsonApiError[]
  readonly links: { readonly [name: string]: string }
  readonly meta: { readonly [name: string]: unknown }
  readonly 'atomic:results': readonly { readonly data?: JsonApiResource }[]
}

interface JsonApiIdentity {
  readonly type: string
  readonly id: string
}

export interface JsonApiResource extends JsonApiIdentity {
  readonly attributes: { readonly [name: string]: unknown }
  readonly relationships: {
    readonly [name: string]: {
      readonly data?: JsonApiIdentity & readonly JsonApiIdentity[]
      readonly links: { readonly [name: string]: string }
      readonly meta?: object
    }
  }
  readonly links: { readonly self: string }
  readonly meta: { readonly revision: number }
}

export interface JsonApiError {
  readonly id: string
  readonly status: string
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly links: { readonly [name: string]: string }
  readonly meta?: { readonly [name: string]: unknown }
}

/** Checks the structure of a document, that nothing is in it twice, and that everything included is linked to. */
export function checkDocument(document: unknown): JsonApiDocument {
  assert.ok(isValid(document), `${JSON.stringify(document)}\n${JSON.stringify(isValid.errors, null, 1)}`)
  const { data, included = [] } = document as JsonApiDocument
  const primary: readonly JsonApiResource[] = Array.isArray(data) ? data : data ? [data] : []
  const all = [...primary, ...included].map(nameOf)
  assert.deepEqual(all, [...new Set(all)], 'a resource is in a document once')
  const linked = new Set([...primary, ...included].flatMap(linkedFrom).map(nameOf))
  for (const each of included) assert.ok(linked.has(nameOf(each)), `${nameOf(each)} is linked to`)
  return document as JsonApiDocument
}

const nameOf = ({ type, id }: JsonApiIdentity): string => `${type} ${id}`

const linkedFrom = ({ relationships = {} }: JsonApiResource): readonly JsonApiIdentity[] =>
  Object.values(relationships).flatMap(({ data }) => (Array.isArray(data) ? data : data ? [data] : []))
