import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import { collectionNamed } from '../../../queries/collections.ts'
import type { Representation } from '../../../representations/representation.ts'
import { carrying } from '../../../representations/representations.ts'
import { xlsx } from '../../../representations/xlsx.ts'
import type { JsonSchema } from '../../../values/kinds/kind.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type HeaderName, headerReferences } from '../../contract/headers.ts'
import { type ProblemCode, problemType } from '../../contract/problems/problem-types.ts'
import { isReading, type Method } from '../../contract/route.ts'
import type { BodyShape } from '../../contract/success.ts'
import { offerAt } from '../../negotiate/negotiation.ts'
import { type DescribedResponse, type DescribedResponses, describedResponses } from './described-responses.ts'
import { titleOf } from './schemas/item-schemas.ts'
import { codesWith, problemName, statusName } from './schemas/problem-schema.ts'
import { reference } from './schemas/schema.ts'

/** Headers of every answer. Some depend on settings: a rate limit, CORS origins, a deprecated version. */
const anywhere: readonly HeaderName[] = [
  'Request-Id',
  'Link',
  'Accept-Query',
  'RateLimit',
  'RateLimit-Policy',
  'Access-Control-Allow-Origin',
  'Deprecation',
  'Sunset',
]

const notModified = (method: Method): JsonSchema => ({
  description: 'It has not changed.',
  headers: headerReferences([
    ...(method === 'QUERY' ? (['Location', 'After', 'Before'] as const) : []),
    ...(['ETag', 'Last-Modified', 'Link', 'Content-Location', ...anywhere] as const),
  ]),
})

const problemHeaders: { readonly [status: number]: readonly HeaderName[] } = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Idempotent-Replayed'],
  412: ['ETag'],
  415: ['Accept', 'Accept-Patch', 'Accept-Post', 'Accept-Encoding'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** Built once: nearly every endpoint has all of them. */
const problemResponses = bySchema((_schema: Schema): Record<number, JsonSchema> => ({}))

function problemResponse(status: number, schema: Schema): JsonSchema {
  const known = problemResponses(schema)
  known[status] ??= describedProblem(status, schema)
  return known[status]
}

function describedProblem(status: number, schema: Schema): JsonSchema {
  const own = codesWith(status, schema)
  return {
    description: own.map((code) => `\`${code}\`: ${problemType(code).title}.`).join(' '),
    headers: headerReferences([...(problemHeaders[status] ?? []), ...anywhere]),
    content: Object.fromEntries(
      carrying('problem').flatMap((each) =>
        each.problemType === undefined
          ? []
          : [[each.problemType, { schema: ownSchema(each) ?? reference(problemName(status)) }]],
      ),
    ),
  }
}

const always: readonly ProblemCode[] = [
  'invalid-parameter',
  'cursor-outdated',
  'not-acceptable',
  'address-too-long',
  'misdirected-request',
  'too-many-requests',
  'headers-too-large',
  'internal-error',
  'unavailable',
]
const withRole: readonly ProblemCode[] = ['unauthorized', 'forbidden']
const withBody: readonly ProblemCode[] = ['malformed-body', 'body-too-large', 'unsupported-media-type']

/**
 * The responses of an endpoint, by status; those of several endpoints are stored once, in `shared`. OpenAPI has one
 * body for a status: the shapes that a parameter asks for are under `x-answers`, so that a program which sends no such
 * parameter has the type of what it gets.
 */
export function responsesOf(endpoint: Endpoint, shared: SharedResponses, schema: Schema): JsonSchema {
  const { usual, asked } = describedResponses(endpoint)
  const byStatus = usual.map((each) => [
    each.status,
    shared.refer(nameOf(each, schema), responseObject(each, endpoint, schema)),
  ])
  const others = [...asked].map(([parameters, shapes]) => [parameters, bodySchema(shapes, schema)])
  return {
    responses: { ...Object.fromEntries(byStatus), ...otherResponses(endpoint, usual, shared, schema) },
    ...(others.length > 0 && { 'x-answers': Object.fromEntries(others) }),
  }
}

/** The answer to an unchanged thing, and the refusals. */
function otherResponses(
  endpoint: Endpoint,
  described: DescribedResponses['usual'],
  shared: SharedResponses,
  schema: Schema,
): Record<string, JsonSchema> {
  const { describes, role, method, offers } = endpoint
  const responses: Record<string, JsonSchema> = {}
  const validated = described.some(({ headers }) => headers.includes('ETag'))
  const isConditional = offers !== 'content' || validated
  if (isReading(method) && isConditional) responses[304] = shared.refer('NotModified', notModified(method))
  const refused = [
    ...always,
    ...(isConditional ? (['precondition-failed'] as const) : []),
    ...(role === 'public' ? [] : withRole),
    // An unexpected body is refused too.
    ...(method === 'GET' ? [] : withBody),
    ...(describes?.refuses ?? []),
  ]
  for (const status of new Set(refused.map((code) => problemType(code).status))) {
    responses[status] = shared.refer(statusName(status), problemResponse(status, schema))
  }
  return responses
}

const refer = (name: string): JsonSchema => ({ $ref: `#/components/responses/${name}` })

export interface SharedResponses {
  readonly components: { readonly [name: string]: JsonSchema }
  /** A reference to the response, under the name or, if that is taken, a similar one. */
  refer(name: string, response: JsonSchema): JsonSchema
}

export function shareResponses(): SharedResponses {
  const components: Record<string, JsonSchema> = {}
  const known = new Map<string, string>()
  const referred = new Map<JsonSchema, JsonSchema>()
  const referTo = (name: string, response: JsonSchema): JsonSchema => {
    const text = JSON.stringify(response)
    const free = known.get(text) ?? freeName(name, components)
    known.set(text, free)
    components[free] = response
    return refer(free)
  }
  return {
    components,
    refer(name, response) {
      const made = referred.get(response) ?? referTo(name, response)
      referred.set(response, made)
      return made
    },
  }
}

function freeName(name: string, taken: { readonly [name: string]: JsonSchema }): string {
  let free = name
  for (let n = 2; taken[free] !== undefined; n++) free = `${name}${n}`
  return free
}

/** `DealCreated`, `EntryPageOK`, `NoContent`. */
function nameOf({ status, shows }: DescribedResponse, schema: Schema): string {
  return shows.map((shape) => shapeName(shape, schema)).join('Or') + statusName(status)
}

const shapeName = (shape: BodyShape, schema: Schema): string =>
  typeof shape === 'object' && 'content' in shape
    ? shape.content.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase())
    : schemaName(shape, schema)

function responseObject({ shows, headers, when }: DescribedResponse, endpoint: Endpoint, schema: Schema): JsonSchema {
  return {
    description: when,
    headers: headerReferences([...headers, ...anywhere]),
    ...(shows.length > 0 && { content: contentOf(shows, endpoint, schema) }),
  }
}

function contentOf(shapes: readonly BodyShape[], endpoint: Endpoint, model: Schema): JsonSchema {
  const contents = shapes.flatMap((shape) => (typeof shape === 'object' && 'content' in shape ? [shape.content] : []))
  if (contents.length > 0) return Object.fromEntries(contents.map((type) => [type, { schema: schemaOfType(type) }]))
  const schema = bodySchema(shapes, model)
  const content: Record<string, JsonSchema> = {}
  for (const representation of offerAt(endpoint).representations) {
    for (const type of representation.mediaTypes) content[type] = { schema: ownSchema(representation) ?? schema }
  }
  if (endpoint.live !== undefined) content['text/event-stream'] = { schema: reference('Stream') }
  return content
}

function bodySchema(shapes: readonly BodyShape[], schema: Schema): JsonSchema {
  const schemas = shapes.map((each) => reference(shapeName(each, schema)))
  return schemas.length > 1 ? { anyOf: schemas } : (schemas[0] ?? {})
}

function schemaOfType(type: string): JsonSchema {
  if (/\bjson$/.test(type)) return { type: 'object' }
  if (type === 'text/html') return reference('Html')
  return reference(type === xlsx.mediaTypes[0] ? 'Workbook' : 'Text')
}

/** XML has the JSON's members as elements; other representations have their own schema. */
const ownSchema = ({ schema }: Representation): JsonSchema | undefined => schema && reference(schema.name)

function schemaName(shape: Exclude<BodyShape, { content: string }>, schema: Schema): string {
  if (typeof shape === 'string') return shape
  const title = (name: string): string => titleOf(collectionNamed(schema, name))
  if ('one' in shape) return title(shape.one)
  if ('part' in shape) return `${title(shape.part)}Part`
  if ('partPage' in shape) return `${title(shape.partPage)}PartPage`
  if ('partList' in shape) return `${title(shape.partList)}PartList`
  if ('draft' in shape) return `${title(shape.draft)}Draft`
  return 'page' in shape ? `${title(shape.page)}Page` : `${title(shape.list)}List`
}
