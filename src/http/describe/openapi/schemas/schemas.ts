import { resourceNamed } from '../../../../model/resources.ts'
import type { Schema } from '../../../../model/schema.ts'
import { collectionsOf } from '../../../../queries/collections.ts'
import { representations } from '../../../../representations/representations.ts'
import { batchBounds } from '../../../../values/bounds.ts'
import type { JsonSchema } from '../../../../values/kinds/kind.ts'
import { boolean } from '../../../../values/kinds/number.ts'
import { date, instant } from '../../../../values/kinds/time.ts'
import { uuid } from '../../../../values/kinds/uuid.ts'
import { objectSchema } from '../../../../values/members.ts'
import { resultStatuses } from '../../../contract/batch-shape.ts'
import { bodySchemas } from './body-schemas.ts'
import { exampleDocuments } from './examples.ts'
import { filterSchema, filterValues } from './filters.ts'
import { links, linksOfAny, listSchemas, listsOf, properties, thingsOf, titleOf } from './item-schemas.ts'
import { codeSchema, namedThing, problemSchema, problemsByStatus, status } from './problem-schema.ts'
import { querySchemas } from './query-schemas.ts'
import { addressText, anyId, count, limited, limitedWhole, namedKinds, ownText, reference } from './schema.ts'

/** The shared schemas, by name; built in steps. */
export function* schemaComponents(schema: Schema): Generator<undefined, { readonly [name: string]: JsonSchema }> {
  const collections = Object.values(collectionsOf(schema))
  const examples = exampleDocuments(schema)
  yield
  const things = Object.fromEntries(collections.flatMap((each) => thingsOf(each, examples)))
  yield
  const filters: Record<string, JsonSchema> = {}
  for (const collection of collections) {
    filters[`${titleOf(collection)}Filter`] = filterSchema(collection)
    yield
  }
  return {
    ...things,
    ...Object.fromEntries(collections.flatMap(listsOf)),
    ...filters,
    ...filterValues(schema),
    ...Object.fromEntries(listSchemas('Group', 'Group')),
    Group: {
      type: 'object',
      description: 'The fields that `group` names, then the measures, under the names that were asked for.',
      maxProperties: 40,
      additionalProperties: { ...ownText(8000), type: ['string', 'number', 'boolean', 'null'] },
      xml: { name: 'group' },
      examples: [{ stage: 'lead', currency: 'EUR', count: 3, 'sum.price': 30.3 }],
    },
    ...bodySchemas(schema),
    Params: {
      type: 'object',
      description: 'The parameters of an operation, as its own schema has them.',
      maxProperties: 30,
      additionalProperties: {},
    },
    ImportCounts: {
      ...objectSchema({ inserted: count, updated: count, unchanged: count }),
      description: 'How many rows of an import made a customer, changed one, or said what was known.',
    },
    UndoneImport: {
      ...objectSchema({ id: limited(uuid.schema), removed: undoneIds, restored: undoneIds }),
      description: 'The things that an undone import had made, and those that it had changed, by resource.',
    },
    PageLinks: {
      ...objectSchema(properties(['self', 'first', 'prev', 'next'], addressText), []),
      description: 'Those that fit into an address; only a QUERY can be too long for one.',
    },
    ...querySchemas,
    Problem: { ...problemSchema(schema), examples: [examples.Problem ?? {}] },
    NamedThing: namedThing,
    ...problemsByStatus(schema),
    ...home(schema),
    ...texts,
    ...Object.fromEntries([...namedKinds(schema)].map(([shared, name]) => [name, limitedWhole(shared)])),
  }
}

const undoneIds: JsonSchema = {
  type: 'object',
  maxProperties: 20,
  additionalProperties: { type: 'array', items: anyId, maxItems: 10_000_000 },
}

const pageOf = (
  item: JsonSchema,
  linked: JsonSchema,
  required = ['items', 'links'],
  further: { readonly [name: string]: JsonSchema } = {},
): JsonSchema => ({
  ...objectSchema({ items: { type: 'array', items: item, maxItems: 1000 }, ...further, links: linked }, required),
  xml: { name: 'collection' },
})

const texts: { readonly [name: string]: JsonSchema } = {
  ...Object.fromEntries(
    representations.flatMap(({ schema }) => (schema === undefined ? [] : [[schema.name, schema.of]])),
  ),
  Stream: {
    type: 'string',
    description:
      'Server-sent events: `id` is the sequence. Of the feed, `event` is the type and `data` the event; of a list, `event` is `enter`, `change`, `leave`, `ready` or `reset`, and `data` the thing.',
  },
  Text: { type: 'string', description: 'Text of the media type.' },
}

const home = (schema: Schema): { readonly [name: string]: JsonSchema } => ({
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
        deprecatedFrom: limited(date.schema),
        sunset: limited(date.schema),
        href: addressText,
      },
      ['version', 'state', 'href'],
    ),
    links('self', 'commands'),
  ),
  BatchResults: objectSchema({
    results: { type: 'array', maxItems: batchBounds.commands, items: reference('BatchResult') },
  }),
  BatchResult: objectSchema(
    {
      index: count,
      status: { type: 'string', enum: [...resultStatuses] },
      ...Object.fromEntries(
        schema.resources.map(({ name }) => [
          name,
          { type: 'object', maxProperties: 100, description: `The ${name} after it.` },
        ]),
      ),
      command: { type: 'object', maxProperties: 20, description: 'The command, where it has an id.' },
      problem: { type: 'object', maxProperties: 50, description: 'Why it was rejected.' },
      dependsOn: { ...count, description: 'The refused command that it names.' },
    },
    ['index', 'status'],
  ),
  NamedQueries: pageOf(
    objectSchema(
      {
        name: ownText(100),
        title: ownText(200),
        parameter: ownText(100),
        address: ownText(8192),
        example: {
          ...addressText,
          type: ['string', 'null'],
          description: 'Finds something now; null where nothing is.',
        },
        note: { ...ownText(200), description: 'What to put in place of the parameter, where there is no example.' },
      },
      ['name', 'title', 'parameter', 'address', 'example'],
    ),
    links('self'),
  ),
  Found: pageOf(
    objectSchema({
      type: { type: 'string', enum: [...schema.resources.map(({ name }) => name), 'person'] },
      id: { ...count, ...ownText(200), type: ['string', 'integer'] },
      name: ownText(200),
      match: { type: 'string', enum: ['id', 'exact', 'starts', 'contains'] },
      updatedAt: { ...limited(instant.schema), type: ['string', 'null'] },
      href: addressText,
    }),
    links('self'),
    ['items', 'links'],
    {
      didYouMean: { ...ownText(400), description: 'A text one edit away that finds something, where nothing matches.' },
    },
  ),
  ProblemTypes: pageOf(objectSchema({ code: codeSchema(schema), status, title: ownText(200), href: addressText }), {}, [
    'items',
  ]),
  ProblemType: objectSchema({
    code: codeSchema(schema),
    status,
    title: ownText(200),
    meaning: ownText(2000),
    remedy: ownText(2000),
  }),
  Actions: pageOf(reference('OperationDescription'), linksOfAny(schema)),
  OperationDescription: objectSchema(
    {
      operation: reference('OperationName'),
      title: ownText(200),
      action: reference('Action'),
      allowed: boolean.schema,
      reason: { ...ownText(1000), description: 'Why the caller may not do it now.' },
      params: {
        type: 'object',
        description: 'JSON Schema of the parameters.',
        maxProperties: 20,
        additionalProperties: {},
      },
      method: { type: 'string', enum: ['PUT'] },
      href: addressText,
      links: linksOfAny(schema),
    },
    ['operation', 'title', 'action', 'allowed', 'params', 'method', 'href'],
  ),
  Board: objectSchema({
    columns: {
      type: 'array',
      maxItems: 1000,
      items: objectSchema({
        pipeline: resourceNamed(schema, 'deal').kinds.pipeline.schema,
        stage: resourceNamed(schema, 'deal').kinds.stage.schema,
        items: { type: 'array', items: reference('DealItem'), maxItems: 30 },
        hasMore: boolean.schema,
      }),
    },
    links: links('self', 'deals'),
  }),
  Reports: objectSchema({
    items: {
      type: 'array',
      maxItems: 100,
      items: objectSchema({ name: ownText(100), title: ownText(200), about: ownText(500), href: addressText }),
    },
    links: links('self'),
  }),
  Report: objectSchema(
    {
      name: ownText(100),
      from: limited(date.schema),
      until: limited(date.schema),
      person: { ...ownText(200), type: ['string', 'null'] },
      pipeline: { ...ownText(64), type: ['string', 'null'] },
      questions: {
        type: 'array',
        maxItems: 20,
        items: objectSchema({
          name: ownText(100),
          title: ownText(200),
          href: addressText,
          items: { type: 'array', items: reference('Group'), maxItems: 20_000 },
        }),
      },
      rows: {
        type: 'array',
        description: 'What the report computes from the answers.',
        items: reference('Group'),
        maxItems: 20_000,
      },
      links: links('self', 'collection'),
    },
    ['name', 'person', 'pipeline', 'questions', 'links'],
  ),
  SignInPage: objectSchema(
    {
      fields: { type: 'array', items: ownText(40), maxItems: 10 },
      user: ownText(64),
      links: links('self'),
    },
    ['fields', 'links'],
  ),
  Health: objectSchema({ status: { type: 'string', const: 'ok' } }),
  WebhookTest: objectSchema({
    request: objectSchema({
      headers: { type: 'object', maxProperties: 100, additionalProperties: ownText(8000) },
      body: ownText(1_000_000),
    }),
    responseStatus: { ...count, type: ['integer', 'null'] },
    answer: { ...ownText(10_000), type: ['string', 'null'], description: 'The beginning of the answer.' },
    error: { ...ownText(1000), type: ['string', 'null'], description: 'Why there is no answer.' },
    duration: { ...count, description: 'Milliseconds.' },
  }),
})
