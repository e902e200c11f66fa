import { fileBounds } from '../../../values/bounds.ts'
import type { JsonSchema } from '../../../values/kinds/kind.ts'
import { type Endpoint, FILE_TYPES, HAL, MULTIPART } from '../../contract/endpoint.ts'
import { ownText, reference } from './schemas/schema.ts'

type Schemas = { readonly [name: string]: JsonSchema }

/** The request body of an endpoint, by media type; undefined if it reads none. */
export function requestBodyOf(endpoint: Endpoint, schemas: Schemas): JsonSchema | undefined {
  const { method, reads = [], describes } = endpoint
  if (reads.length === 0) return undefined
  if (method === 'QUERY') return { $ref: '#/components/requestBodies/Query' }
  const schema = describes?.takes === undefined ? nothing : reference(describes.takes)
  const form = reference('HtmlForm')
  const schemaFor = (type: string): JsonSchema => {
    if (type === MULTIPART) return fileForm
    if (type === HAL) return hal
    if ((FILE_TYPES as readonly string[]).includes(type)) return file
    return type === 'application/x-www-form-urlencoded' ? form : schema
  }
  const content = reads.map((type) => [type, { schema: schemaFor(type) }])
  if (reads.includes(MULTIPART))
    return { description: 'The file.', required: true, content: Object.fromEntries(content) }
  return {
    required: needsMembers(schema, schemas),
    content: Object.fromEntries(content),
  }
}

const hal: JsonSchema = {
  type: 'object',
  description: 'The members of the JSON, and `_links` as they were read.',
  maxProperties: 1000,
  additionalProperties: {},
}

const file: JsonSchema = { type: 'string', format: 'binary', maxLength: fileBounds.bytes }
const fileForm: JsonSchema = {
  type: 'object',
  properties: {
    on: { ...ownText(64), description: 'Before the file, unless the address says it.' },
    file,
  },
}

/** The query of an address, as the text after the `?` or as JSON. */
export const requestBodies: Schemas = {
  Query: {
    description: 'The query: as a form what would stand behind the `?` of an address, or as JSON. It may have 1 MiB.',
    required: true,
    content: {
      'application/json': { schema: reference('QueryContent') },
      'application/x-www-form-urlencoded': { schema: reference('QueryForm') },
    },
  },
}

const nothing: JsonSchema = { type: 'object', additionalProperties: false, description: 'Nothing is to be said.' }

/** A missing body counts as an empty object, so a body is required only if it has required members. */
function needsMembers({ $ref, required = [], oneOf, anyOf, allOf }: JsonSchema, schemas: Schemas): boolean {
  const needs = (schema: JsonSchema): boolean => needsMembers(schema, schemas)
  if (typeof $ref === 'string') return needs(schemas[$ref.replace(/.*\//, '')] ?? {})
  const choices = (oneOf ?? anyOf) as readonly JsonSchema[] | undefined
  if (choices !== undefined) return choices.every(needs)
  return (required as readonly string[]).length > 0 || ((allOf ?? []) as readonly JsonSchema[]).some(needs)
}
