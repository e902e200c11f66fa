import { customerMembers, patchedMembers } from '../../customers/change.ts'
import { dealFields } from '../../deals/deal.ts'
import type { Operation } from '../../deals/operation.ts'
import { dealOperations, operations } from '../../deals/operations.ts'
import type { Collection } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import type { Json, JsonSchema } from '../../values/kind.ts'
import { boolean } from '../../values/number.ts'
import { rotationMembers } from '../../webhooks/rotation.ts'
import { webhookMembers } from '../../webhooks/webhook.ts'
import { problemTypes } from '../problem-types.ts'
import { type Examples, exampleDealId, exampleDocuments } from './examples.ts'
import { filterSchema, filterValues } from './filters.ts'
import {
  addressText,
  count,
  kindSchema,
  limited,
  membersObject,
  namedKinds,
  objectSchema,
  ownText,
  reference,
} from './schema.ts'

/** Every schema that is referred to, by its name. */
export function schemaComponents(): { readonly [name: string]: JsonSchema } {
  const examples = exampleDocuments()
  return {
    ...Object.fromEntries(Object.values(collections).flatMap((collection) => thingsOf(collection, examples))),
    ...Object.fromEntries(Object.values(collections).flatMap(listsOf)),
    ...Object.fromEntries(
      Object.values(collections).map((collection) => [`${titleOf(collection)}Filter`, filterSchema(collection)]),
    ),
    ...filterValues,
    ...bodies(),
    Params: {
      type: 'object',
      description: 'The parameters of an operation, as its own schema has them.',
      maxProperties: 30,
      additionalProperties: {},
    },
    PageLinks: objectSchema(properties(['self', 'first', 'prev', 'next'], addressText), ['self', 'first']),
    Problem: { ...problem, examples: [examples.Problem] },
    ...home,
    ...texts,
    ...Object.fromEntries([...namedKinds].map(([schema, name]) => [name, limited(schema)])),
  }
}

/** What one item of the collection is called in documents. */
export function titleOf({ name }: Pick<Collection, 'name'>): string {
  const { item } = collections[name]
  return item.charAt(0).toUpperCase() + item.slice(1)
}

const properties = (list: readonly string[], schema: JsonSchema): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(list.map((name) => [name, schema]))

const links = (...relations: readonly string[]): JsonSchema => objectSchema(properties(relations, addressText))

const dealLinks = objectSchema(
  {
    ...properties(['self', 'collection', 'history', 'actions', 'customer'], addressText),
    operations: {
      ...objectSchema(
        properties(
          dealOperations.map(({ name }) => name),
          addressText,
        ),
        [],
      ),
      description: 'The operations that are allowed now.',
    },
  },
  ['self', 'collection', 'history', 'actions', 'operations'],
)

/** The links of a single thing; others than these have links of any name. */
const linksOf: { readonly [collection: string]: JsonSchema } = {
  deals: dealLinks,
  customers: links('self', 'collection', 'deals'),
  history: links('self', 'deal'),
  commands: links('self', 'deal'),
}
const anyLinks: JsonSchema = { type: 'object', maxProperties: 20, additionalProperties: addressText }

/** A thing with its links, and the same as an item of a list, of which `fields` may take members away. */
function thingsOf(collection: Collection, examples: Examples): readonly [string, JsonSchema][] {
  const name = titleOf(collection)
  const own = itemProperties(collection)
  const properties = { ...own, ...besides[collection.name], links: linksOf[collection.name] ?? anyLinks }
  const whole = objectSchema(
    properties,
    Object.keys(properties).filter((member) => !sometimes.has(member)),
  )
  const example = examples[name as keyof Examples]
  const xml = { name: collection.item }
  return [
    [name, { ...whole, xml, ...(example !== undefined && { examples: [example] }) }],
    [`${name}Item`, { ...objectSchema(own, []), xml }],
  ]
}

/** What is added to a stored item when it is shown. */
const presented: { readonly [collection: string]: { readonly [name: string]: JsonSchema } } = {
  deliveries: { id: { ...ownText(100), description: 'The id of the message, as the receiver knows it.' } },
}

/** What a thing shows besides the members of an item. */
const besides: { readonly [collection: string]: { readonly [name: string]: JsonSchema } } = {
  webhooks: { secret: { ...ownText(100), description: 'Shown once, when it is made.' } },
}

/** Members that are left out where they say nothing. */
const sometimes: ReadonlySet<string> = new Set(['commandId', 'problem', 'secret'])

function itemProperties({ name, fields, structured }: Collection): Record<string, JsonSchema> {
  const shown = [...fields.values()].filter(({ hidden }) => !hidden)
  return {
    ...Object.fromEntries(shown.map(({ name, kind }) => [name, kindSchema(kind.schema)])),
    ...Object.fromEntries(structured.map((name) => [name, structuredMembers[name] ?? {}])),
    ...presented[name],
  }
}

const structuredMembers: { readonly [name: string]: JsonSchema } = {
  types: {
    type: ['array', 'null'],
    items: reference('EventType'),
    maxItems: operations.length,
    description: 'Null for every type.',
  },
  answer: { ...ownText(10_000), type: ['string', 'null'], description: 'How the answer began.' },
  event: { ...ownText(100), description: 'The event’s `sequence`.' },
  params: reference('Params'),
  problem: reference('Problem'),
  specversion: { type: 'string', const: '1.0' },
  id: ownText(100),
  source: addressText,
  subject: { type: 'string', format: 'uuid', maxLength: 36 },
  datacontenttype: { type: 'string', const: 'application/json' },
  data: objectSchema(
    {
      operation: reference('OperationName'),
      params: reference('Params'),
      deal: reference('DealItem'),
      revision: kindSchema(dealFields.revision.schema),
      actor: { ...ownText(200), type: ['string', 'null'] },
      form: reference('FormName'),
      commandId: ownText(128),
    },
    ['operation', 'params', 'deal', 'revision', 'actor', 'form'],
  ),
}

function listsOf(collection: Collection): readonly [string, JsonSchema][] {
  const title = titleOf(collection)
  const items = {
    type: 'array',
    items: reference(`${title}Item`),
    maxItems: 1000,
    xml: { name: 'items', wrapped: true },
  }
  const page = objectSchema(
    { items, page: count, pageSize: count, hasMore: boolean.schema, total: count, links: reference('PageLinks') },
    ['items', 'pageSize', 'hasMore', 'links'],
  )
  return [
    [`${title}Page`, { ...page, xml: { name: 'collection' } }],
    [`${title}List`, items],
  ]
}

/** The name of the schema of an operation's parameters. */
export const paramsName = ({ words }: Operation): string => `${words.action}Params`

const dealId = kindSchema(dealFields.id.schema)
const addressedId: JsonSchema = { ...ownText(128), description: 'What the address names, where the body repeats it.' }

function bodies(): { readonly [name: string]: JsonSchema } {
  const attributes = Object.entries(dealFields).map(([name, kind]) => [name, kindSchema(kind.schema)])
  return {
    ...Object.fromEntries(operations.map((operation) => [paramsName(operation), paramsSchema(operation)])),
    DealChange: { anyOf: [reference('DealAction'), reference('DealAttributes')] },
    DealAction: {
      description: 'An operation by its name, with its parameters.',
      examples: actionExamples({}),
      oneOf: dealOperations.map((operation) => actionSchema(operation, { id: dealId })),
    },
    DealCommand: {
      description: 'An operation by its name, with its parameters.',
      oneOf: dealOperations.map((operation) => actionSchema(operation, { id: addressedId, deal: dealId })),
    },
    AnyCommand: {
      examples: actionExamples({ deal: exampleDealId }),
      description: 'An operation by its name, with its parameters and the deal it is for; `CreateDeal` has none.',
      oneOf: operations.map((operation) =>
        operation.on === 'nothing'
          ? actionSchema(operation, { id: addressedId, deal: { type: 'null' } })
          : actionSchema(operation, { id: addressedId, deal: dealId }, ['deal']),
      ),
    },
    NamedCommand: {
      examples: operations.map(({ on, examples: [params] }) =>
        on === 'nothing' ? params : { id: exampleDealId, ...params },
      ),
      description: 'The parameters of the operation that the address names, with the id of the deal.',
      anyOf: operations.map((operation) =>
        operation.on === 'nothing'
          ? reference(paramsName(operation))
          : {
              allOf: [
                reference(paramsName(operation)),
                { type: 'object', properties: { id: dealId }, required: ['id'] },
              ],
            },
      ),
    },
    DealAttributes: {
      ...objectSchema({ ...Object.fromEntries(attributes), links: { type: 'object', description: 'Ignored.' } }, []),
      examples: [{ held: true, holdReason: 'credit check', price: 49999.95 }],
      description: 'The deal as it should be: each difference becomes its operation, all or nothing.',
    },
    CustomerBody: { ...customerBody(customerMembers, ['name']), examples: [exampleCustomer] },
    CustomerPatch: { ...customerBody(patchedMembers, []), examples: [{ age: 42 }] },
    WebhookBody: {
      ...membersObject(webhookMembers),
      examples: [{ url: 'https://example.com/hooks', types: ['deal.held', 'deal.completed'] }],
    },
    Rotation: { ...membersObject(rotationMembers), examples: [{ overlap: 3600 }] },
    HtmlForm: {
      type: 'object',
      description:
        'The same members as the fields of an HTML form. An empty field is absent. `_revision` stands for If-Match, `_command` for Idempotency-Key.',
      maxProperties: 20,
      additionalProperties: ownText(10_000),
    },
  }
}

const exampleCustomer = { name: 'Ana Ruiz', email: 'ana@example.com', age: 41, children: 2, country: 'ES' }

const actionExamples = (beside: { readonly [name: string]: string }): readonly Json[] =>
  dealOperations.map(({ words, examples: [params] }) => ({ action: words.action, params, ...beside }))

/** What was read can be sent back: the members that the service assigns may stand there, as they are. */
function customerBody(members: typeof customerMembers | typeof patchedMembers, required: readonly string[]) {
  const assigned = ['id', 'createdAt', 'updatedAt', 'revision'] as const
  const own = membersObject(members).properties as { readonly [name: string]: JsonSchema }
  const { fields } = collections.customers
  const given = Object.fromEntries(assigned.map((name) => [name, kindSchema(fields.get(name)?.kind.schema ?? {})]))
  return objectSchema({ ...own, ...given, links: { type: 'object', description: 'Ignored.' } }, required)
}

function paramsSchema(operation: Operation): JsonSchema {
  const { params, examples, title, on } = operation
  const beside = on === 'nothing' ? undefined : { id: { ...dealId, description: 'The deal, where the body names it.' } }
  return { ...membersObject(params, beside), description: title, examples }
}

function actionSchema(
  operation: Operation,
  beside: { readonly [name: string]: JsonSchema },
  required: readonly string[] = [],
): JsonSchema {
  const { name, words, params, title } = operation
  const needed = Object.values(params).some((member) => member.required)
  const schema = objectSchema(
    {
      action: { type: 'string', enum: [words.action, name] },
      params: reference(paramsName(operation)),
      ...beside,
    },
    ['action', ...(needed ? ['params'] : []), ...required],
  )
  return { ...schema, title }
}

const code: JsonSchema = { type: 'string', enum: Object.keys(problemTypes) }
const status: JsonSchema = { type: 'integer', format: 'int32', minimum: 400, maximum: 599 }
const detail = ownText(20_000)

const problem: JsonSchema = {
  ...objectSchema(
    {
      type: { ...addressText, description: 'A page that explains the problem.' },
      title: ownText(200),
      status,
      detail,
      code,
      instance: { type: 'string', format: 'uri', maxLength: 100, description: 'The id under which it was logged.' },
      errors: {
        type: 'array',
        description: 'One entry for each fault; `pointer` is a JSON pointer into the body that was sent.',
        maxItems: 1000,
        items: objectSchema({ pointer: ownText(2000), parameter: ownText(8192), header: ownText(100), detail }, [
          'detail',
        ]),
      },
      operation: { ...reference('OperationName'), description: 'wrong-state: what was asked for.' },
      deal: {
        ...objectSchema(
          Object.fromEntries(
            (['id', 'status', 'held', 'archived', 'deletedAt', 'revision'] as const).map((name) => [
              name,
              kindSchema(dealFields[name].schema),
            ]),
          ),
        ),
        description: 'wrong-state: the state of the deal.',
      },
      allowed: {
        type: 'array',
        description: 'wrong-state: the operations that are allowed now.',
        items: reference('OperationName'),
        maxItems: operations.length,
      },
      deletedAt: { ...kindSchema(dealFields.createdAt.schema), description: 'deal-deleted: since when.' },
      revision: { ...kindSchema(dealFields.revision.schema), description: 'stale-revision: the current one.' },
      versions: { type: 'array', description: 'unknown-version: those there are.', items: ownText(10), maxItems: 20 },
      available: {
        type: 'array',
        description: 'not-acceptable: the representations there are.',
        items: objectSchema({ format: ownText(10), mediaType: ownText(100) }),
        maxItems: 10,
      },
    },
    ['type', 'title', 'status', 'detail', 'code'],
  ),
  description: 'RFC 9457.',
  xml: { name: 'problem', namespace: 'urn:ietf:rfc:7807' },
}

const pageOf = (item: JsonSchema, linked: JsonSchema, required = ['items', 'links']): JsonSchema => ({
  ...objectSchema({ items: { type: 'array', items: item, maxItems: 1000 }, links: linked }, required),
  xml: { name: 'collection' },
})

const texts: { readonly [name: string]: JsonSchema } = {
  Html: { type: 'string', description: 'A page for people.' },
  Csv: { type: 'string', description: 'A header, then a row for each item.' },
  Lines: { type: 'string', description: 'The whole result, one item as JSON on each line.' },
  Stream: { type: 'string', description: 'Server-sent events; their ids are sequences.' },
  Text: { type: 'string', description: 'Text of the media type.' },
}

const home: { readonly [name: string]: JsonSchema } = {
  Home: objectSchema({
    name: ownText(100),
    version: ownText(50),
    links: { type: 'object', maxProperties: 50, additionalProperties: addressText },
  }),
  Versions: pageOf(
    objectSchema(
      {
        version: ownText(10),
        state: { type: 'string', enum: ['current', 'deprecated', 'retired'] },
        deprecatedFrom: kindSchema({ type: 'string', format: 'date' }),
        sunset: kindSchema({ type: 'string', format: 'date' }),
        href: addressText,
      },
      ['version', 'state', 'href'],
    ),
    links('self', 'commands'),
  ),
  NamedQueries: pageOf(
    objectSchema({
      name: ownText(100),
      title: ownText(200),
      parameter: ownText(100),
      address: ownText(8192),
      example: addressText,
    }),
    links('self'),
  ),
  ProblemTypes: pageOf(objectSchema({ code, status, title: ownText(200), href: addressText }), {}, ['items']),
  ProblemType: objectSchema({ code, status, title: ownText(200), meaning: ownText(2000), remedy: ownText(2000) }),
  Actions: pageOf(reference('DealOperation'), links('self', 'deal')),
  DealOperation: objectSchema(
    {
      operation: reference('OperationName'),
      title: ownText(200),
      action: reference('Action'),
      allowed: boolean.schema,
      reason: { ...ownText(1000), description: 'Why it is not allowed now.' },
      params: {
        type: 'object',
        description: 'JSON Schema of the parameters.',
        maxProperties: 20,
        additionalProperties: {},
      },
      href: addressText,
      links: links('self', 'deal'),
    },
    ['operation', 'title', 'action', 'allowed', 'params', 'href'],
  ),
  Board: objectSchema({
    columns: {
      type: 'array',
      maxItems: 5,
      items: objectSchema({
        stage: dealFields.stage.schema,
        items: { type: 'array', items: reference('DealItem'), maxItems: 30 },
        hasMore: boolean.schema,
      }),
    },
    links: links('self', 'deals'),
  }),
  Health: objectSchema({ status: { type: 'string', const: 'ok' } }),
}
