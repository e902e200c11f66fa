import { dealFields } from '../../model/deal/deal.ts'
import { operations } from '../../model/deal/operations.ts'
import type { Collection } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import { representations } from '../../representations/representations.ts'
import type { Json, JsonSchema } from '../../values/kind.ts'
import type { Endpoint } from '../endpoint.ts'
import { DEALS } from '../forms/form.ts'
import { problemTypes } from '../respond/problem-types.ts'
import { titleOf } from './item-schemas.ts'
import { addressText, kindSchema, limited, ownText, reference } from './schema.ts'

const integer = (minimum: number, maximum: number): JsonSchema => limited({ type: 'integer', minimum, maximum })
const tags = { type: 'string', maxLength: 4096, pattern: '^(\\*|(W/)?"[^"]*"(\\s*,\\s*(W/)?"[^"]*")*)$' }
const commandId = { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._~-]+$' }

const query = (name: string, description: string, schema: JsonSchema, example?: Json): JsonSchema => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example !== undefined && { example }),
})
const header = (name: string, description: string, schema: JsonSchema, example: Json): JsonSchema => ({
  name,
  in: 'header',
  description,
  schema,
  example,
})
const path = (name: string, description: string, schema: JsonSchema, example: Json): JsonSchema => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
  example,
})

/** Every parameter that is referred to, by its name. */
export const parameterComponents = (): { readonly [name: string]: JsonSchema } => ({
  DealId: path('id', 'The deal.', kindSchema(dealFields.id.schema), '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'),
  CustomerId: path('id', 'The customer.', integer(1, Number.MAX_SAFE_INTEGER), 7),
  CommandId: path(
    'command',
    'An id of the client’s own; it must not end like a format (`.json`).',
    commandId,
    'pay-0001',
  ),
  WebhookId: path('id', 'The webhook.', kindSchema(dealFields.id.schema), '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'),
  DeliveryNumber: path('number', 'The delivery.', integer(1, Number.MAX_SAFE_INTEGER), 1),
  EntryNumber: path('n', 'The revision that the operation made.', integer(1, 999_999_999_999_999), 2),
  CommandName: path(
    'name',
    'The operation.',
    { type: 'string', enum: operations.flatMap(({ words, name }) => [words.action, name]) },
    'HoldDeal',
  ),
  ProblemCode: path('code', 'The problem.', { type: 'string', enum: Object.keys(problemTypes) }, 'wrong-state'),
  Format: query(
    'format',
    'The representation, before what `Accept` says. A suffix of the path (`.csv`) does the same on GET.',
    { type: 'string', enum: representations.map(({ name }) => name) },
  ),
  DryRun: query('dry-run', 'Only try: the same checks, nothing is stored; the answer shows what would result.', {
    type: 'boolean',
  }),
  Page: query(
    'page',
    'From 1. Links continue with `after`, which costs the same on every page.',
    integer(1, Number.MAX_SAFE_INTEGER),
  ),
  MaxPageSize: query('maxpagesize', 'At most so many items; more than 1000 is taken for 1000.', {
    type: 'integer',
    minimum: 1,
    maximum: 1e21,
    default: 50,
  }),
  After: query('after', 'Continues a list; taken from its `next` link.', ownText(8000)),
  Before: query('before', 'Goes back in a list; taken from its `prev` link.', ownText(8000)),
  Count: query('count', 'Counts all that match, as `total`.', { type: 'string', enum: ['exact'] }),
  Empty: query('empty', 'Answers 404 when nothing matches.', { type: 'string', enum: ['404'] }),
  IfMatch: header(
    'If-Match',
    'The state that the request is built on; 412 when it is no longer the current one.',
    tags,
    '"7-mhzw6z1t-SVlhtPEh"',
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'A read answers 304 when this is still the current one; a write 412. At a command’s address a write means the command.',
    tags,
    '"7-mhzw6z1t-SVlhtPEh"',
  ),
  IfModifiedSince: header(
    'If-Modified-Since',
    'The same as `If-None-Match` by time, when no tag is sent.',
    ownText(40),
    'Sun, 15 Nov 2026 04:05:05 GMT',
  ),
  IfUnmodifiedSince: header(
    'If-Unmodified-Since',
    'The same as `If-Match` by time, when no tag is sent.',
    ownText(40),
    'Sun, 15 Nov 2026 04:05:05 GMT',
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    'An id of the client’s own: however often the request is sent, it is decided once. The same ids as those of commands.',
    { type: 'string', minLength: 1, maxLength: 130, pattern: '^("[A-Za-z0-9._~-]+"|[A-Za-z0-9._~-]+)$' },
    '"9f1c-42"',
  ),
  Prefer: header('Prefer', '`return=minimal`: the answer’s headers are enough.', ownText(200), 'return=minimal'),
  LastEventId: header('Last-Event-ID', 'Continues a stream behind this event.', ownText(100), '0000000000000042'),
  ...Object.fromEntries(Object.values(collections).flatMap(ofCollection)),
})

function ofCollection(collection: Collection): readonly [string, JsonSchema][] {
  const { fields, structured } = collection
  const shown = [...fields.values()].filter(({ hidden }) => !hidden)
  const indexed = shown.filter((field) => field.indexed).map(({ name }) => `\`${name}\``)
  const names = [...shown.map(({ name }) => name), ...structured]
  const sorts = shown.map(({ name }) => name).join('|')
  const title = titleOf(collection)
  return [
    [
      `${title}Sort`,
      query(
        'sort',
        `Fields, separated by commas; a \`-\` sorts downwards. Nulls come last; \`${collection.key}\` breaks ties in the direction of the last field; choices are in their declared order. Answered from an index: ${indexed.join(', ')}.`,
        { type: 'string', maxLength: 1000, pattern: `^-?(${sorts})(,-?(${sorts}))*$` },
      ),
    ],
    [
      `${title}Fields`,
      query('fields', 'The members to show, separated by commas.', {
        type: 'string',
        maxLength: 1000,
        pattern: `^(${names.join('|')})(,(${names.join('|')}))*$`,
      }),
    ],
    [
      `${title}Filter`,
      {
        ...query(
          'filter',
          `Each member is a parameter of its own, such as \`${collection.key}.gt\`.`,
          reference(`${title}Filter`),
        ),
        style: 'form',
        explode: true,
      },
    ],
  ]
}

const refer = (name: string): JsonSchema => ({ $ref: `#/components/parameters/${name}` })

/** The parameters of an endpoint: those of its path, of its query, and the headers it looks at. */
export function parametersOf(endpoint: Endpoint): readonly JsonSchema[] {
  return [...pathParameters(endpoint), ...queryParameters(endpoint), ...headerParameters(endpoint)]
}

const pathNames = new Map([
  ['/webhooks/:id', 'WebhookId'],
  ['/webhooks/:id/deliveries/:number', 'DeliveryNumber'],
  [`${DEALS}/:id`, 'DealId'],
  ['/customers/:id', 'CustomerId'],
  ['/command/:name', 'CommandName'],
  ['/problems/:code', 'ProblemCode'],
  ['/rest/commands/:command', 'CommandId'],
])

function pathParameters({ path: whole, describes }: Endpoint): readonly JsonSchema[] {
  const found: JsonSchema[] = []
  let upTo = ''
  for (const segment of whole.split('/').slice(1)) {
    upTo += `/${segment}`
    if (!segment.startsWith(':')) continue
    const name = segment.slice(1)
    const shared = pathNames.get(upTo) ?? (whole.startsWith(`${DEALS}/:id/`) ? inDeal[name] : undefined)
    if (shared !== undefined) found.push(refer(shared))
    else if (describes?.parameter !== undefined && upTo === whole) {
      const { description, schema, example } = describes.parameter
      found.push(path(name, description, kindSchema(schema), example))
    } else found.push(path(name, 'What is addressed.', addressText, '1'))
  }
  return found
}

const inDeal: { readonly [name: string]: string } = { command: 'CommandId', n: 'EntryNumber' }

function queryParameters({ parameters = [], describes, offers }: Endpoint): readonly JsonSchema[] {
  const format = offers === 'resource' || offers === 'collection' ? [refer('Format')] : []
  if (typeof parameters === 'object') return [...parameters.map((name) => refer(queryNames[name] ?? name)), ...format]
  const paging = ['Page', 'MaxPageSize', 'After', 'Before', 'Count', 'Empty'].map(refer)
  const { asks } = describes ?? {}
  const names = parameters === 'filters' ? ['Filter', 'Sort'] : ['Filter', 'Sort', 'Fields']
  const own = asks === undefined ? [] : names.map((name) => refer(`${titleOf(asks)}${name}`))
  if (parameters === 'filters') return [...own, ...format]
  return [...own, ...paging, ...format]
}

const queryNames: { readonly [name: string]: string } = { 'dry-run': 'DryRun' }

function headerParameters({ method, path, describes, live }: Endpoint): readonly JsonSchema[] {
  if (method === 'GET') {
    const validated = describes?.answers.some(({ headers }) => headers.includes('ETag'))
    if (live !== undefined) return [refer('LastEventId')]
    return validated ? ['IfNoneMatch', 'IfModifiedSince', 'IfMatch', 'IfUnmodifiedSince'].map(refer) : []
  }
  const { refuses = [] } = describes ?? {}
  return [
    ...['IfMatch', 'IfUnmodifiedSince', 'IfNoneMatch'].map(refer),
    ...(refuses.includes('idempotency-key-reused') && !path.endsWith('/:command') ? [refer('IdempotencyKey')] : []),
    refer('Prefer'),
  ]
}
