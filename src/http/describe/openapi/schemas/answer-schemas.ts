import type { Schema } from '../../../../model/declaration/schema.ts'
import { resourceNamed } from '../../../../model/schema/resources.ts'
import { batchBounds } from '../../../../values/bounds.ts'
import type { JsonSchema } from '../../../../values/kinds/kind.ts'
import { boolean } from '../../../../values/kinds/number.ts'
import { date, instant } from '../../../../values/kinds/time.ts'
import { objectSchema } from '../../../../values/members.ts'
import { resultStatuses } from '../../../contract/batch-shape.ts'
import { links, linksOfAny } from './item-schemas.ts'
import { codeSchema, status } from './problem-schema.ts'
import { addressText, count, limited, ownText, reference } from './schema.ts'

type Schemas = { readonly [name: string]: JsonSchema }

/** The schemas of answers that are neither things nor lists of them, by name. */
export const answerSchemas = (schema: Schema): Schemas => ({
  ...service,
  ...batches(schema),
  ...searches(schema),
  ...problems(schema),
  ...operations(schema),
  ...board(schema),
  ...reports,
  ...webhooks,
})

const pageOf = (
  item: JsonSchema,
  linked: JsonSchema,
  required = ['items', 'links'],
  further: { readonly [name: string]: JsonSchema } = {},
): JsonSchema => ({
  ...objectSchema({ items: { type: 'array', items: item, maxItems: 1000 }, ...further, links: linked }, required),
  xml: { name: 'collection' },
})

const service: Schemas = {
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
  SignInPage: objectSchema(
    {
      fields: { type: 'array', items: ownText(40), maxItems: 10 },
      user: ownText(64),
      links: links('self'),
    },
    ['fields', 'links'],
  ),
  Health: objectSchema({ status: { type: 'string', const: 'ok' } }),
  Correction: objectSchema({
    from: ownText(200),
    to: { ...ownText(64), type: ['string', 'null'] },
    things: { ...count, description: 'The things that have the text now, deleted ones too.' },
    kept: { ...count, description: 'Those of them in which a field may not be empty, and keeps it.' },
  }),
}

const batches = (schema: Schema): Schemas => ({
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
})

const searches = (schema: Schema): Schemas => ({
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
})

const problems = (schema: Schema): Schemas => ({
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
})

const operations = (schema: Schema): Schemas => ({
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
})

const board = (schema: Schema): Schemas => ({
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
})

const reports: Schemas = {
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
}

const webhooks: Schemas = {
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
}
