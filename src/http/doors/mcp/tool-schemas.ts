import type { Operation } from '../../../model/operation.ts'
import type { Resource } from '../../../model/resource.ts'
import { resources } from '../../../model/resources.ts'
import { filterable } from '../../../queries/collection.ts'
import { collectionNamed } from '../../../queries/collections.ts'
import { MOST_WORDS, matches, SEARCH } from '../../../queries/dialects/search.ts'
import { LARGEST_SIZE } from '../../../queries/settings.ts'
import type { JsonSchema, Kind } from '../../../values/kinds/kind.ts'
import { objectSchema } from '../../openapi/schemas/schema.ts'

/** What a tool takes and gives, as JSON Schemas without references. */
export interface ToolSchemas {
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
}

type Properties = { readonly [name: string]: JsonSchema }

export function schemasOf({ on, to, params, removes }: Operation): ToolSchemas {
  const members = Object.entries(params)
  const own = members.map(([name, { kind, default: initial }]) => [
    name,
    { ...described(kind), ...(initial !== undefined && { default: kind.write(initial) }) },
  ])
  const required = members.filter(([, member]) => member.required).map(([name]) => name)
  const isNew = to === 'nothing'
  return {
    inputSchema: objectSchema(
      {
        ...(!isNew && { id: idOf(on) }),
        ...Object.fromEntries(own),
        ...(!isNew && { expectedRevision }),
        ...{ commandId, dryRun },
      },
      [...(isNew ? [] : ['id']), ...required],
    ),
    outputSchema: orProblem(
      removes
        ? { type: 'object', properties: { id: idOf(on), removed: { const: true } }, required: ['id', 'removed'] }
        : {
            type: 'object',
            properties: propertiesOf(on),
            // What only a dry run makes has no id.
            required: on.names.filter((name) => !(isNew && name === 'id')),
          },
    ),
  }
}

export function getSchemas(resource: Resource): ToolSchemas {
  return {
    inputSchema: objectSchema({ id: idOf(resource), ...memberSettings(resource) }, ['id']),
    outputSchema: orProblem({ type: 'object', properties: propertiesOf(resource) }),
  }
}

export function listSchemas(resource: Resource): ToolSchemas {
  const { searched } = collectionNamed(resource.plural)
  const input: Properties = {
    filter: { type: 'object', description: `${FILTERS} ${fieldsOf(resource)}` },
    ...(searched.length > 0 && { [SEARCH]: text(`Words that ${named(searched)} must have.`) }),
    sort: text('Fields, separated by commas; - before one sorts downwards, such as -updatedAt,id.'),
    limit: { type: 'integer', minimum: 1, maximum: LARGEST_SIZE, description: 'Items of a page; 50 if it is absent.' },
    after: text('Continues a list: the `after` of the page before.'),
    before: text('Goes back in a list: the `before` of the page behind.'),
    page: { type: 'integer', minimum: 1, description: 'The number of the page. Groups continue by it.' },
    count: { type: 'string', enum: ['exact'], description: 'Asks for the `total`.' },
    ...memberSettings(resource),
    group: text('Fields that make groups, separated by commas; dates also by .year, .month, .week and .day.'),
    measure: text('What is computed of each group: count, or sum, avg, min, max of a field, such as sum.price.'),
  }
  const items = { type: 'array', items: { type: 'object', properties: propertiesOf(resource) } }
  return {
    inputSchema: objectSchema(input, []),
    outputSchema: orProblem({
      type: 'object',
      properties: {
        items,
        hasMore: { type: 'boolean' },
        total: { type: 'integer' },
        after: { type: 'string' },
        before: { type: 'string' },
      },
      required: ['items', 'hasMore'],
    }),
  }
}

export function searchSchemas(): ToolSchemas {
  const item = objectSchema({
    type: { type: 'string', enum: resources.map(({ name }) => name) },
    id: { type: ['string', 'integer'] },
    ...{ name: { type: 'string' }, match: { type: 'string', enum: matches } },
    ...{ updatedAt: { type: 'string', format: 'date-time' }, href: { type: 'string' } },
  })
  return {
    inputSchema: objectSchema({ [SEARCH]: { ...text(`At most ${MOST_WORDS} words, or an id.`), minLength: 1 } }),
    outputSchema: orProblem(objectSchema({ items: { type: 'array', items: item } })),
  }
}

/** A refusal is structured content as well. */
function orProblem(result: JsonSchema): JsonSchema {
  return { type: 'object', anyOf: [result, problemSchema] }
}

const problemSchema: JsonSchema = {
  type: 'object',
  description: 'RFC 9457: why it was refused.',
  properties: {
    code: { type: 'string' },
    status: { type: 'integer' },
    title: { type: 'string' },
    detail: { type: 'string' },
    errors: { type: 'array', items: { type: 'object', properties: { detail: { type: 'string' } } } },
  },
  required: ['code', 'status', 'title', 'detail'],
}

const text = (description: string): JsonSchema => ({ type: 'string', description })

const expectedRevision: JsonSchema = {
  type: 'integer',
  minimum: 1,
  description: 'The revision that it must have; another one is refused.',
}
const commandId: JsonSchema = {
  type: 'string',
  pattern: '^[A-Za-z0-9._~-]{1,128}$',
  description: 'An id of your choice: however often it is sent, it is done once.',
}
const dryRun: JsonSchema = {
  type: 'boolean',
  description: 'Checks everything and shows the result; nothing is stored.',
}

const idOf = ({ kinds, name }: Resource): JsonSchema => ({ ...kinds.id?.schema, description: `The id of the ${name}.` })

const described = ({ schema, refersTo }: Kind<unknown>): JsonSchema =>
  refersTo === undefined ? schema : { ...schema, description: `The id of a ${refersTo}.` }

/** Values that a choice may have to be listed wherever it is shown. */
const MOST_CHOICES = 10

const propertiesOf = ({ names, kinds }: Resource): Properties =>
  Object.fromEntries(names.map((name) => [name, briefly(kinds[name]?.schema ?? {})]))

/** A schema of what is answered: every currency of the world stands in those of arguments alone. */
function briefly({ anyOf, ...schema }: JsonSchema): JsonSchema {
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map(briefly) }
  const { enum: choices, ...rest } = schema
  return Array.isArray(choices) && choices.length > MOST_CHOICES ? rest : schema
}

function memberSettings({ plural }: Resource): Properties {
  const { relations } = collectionNamed(plural)
  const fields = text('The members to show, separated by commas.')
  return relations.size === 0
    ? { fields }
    : { fields, expand: text(`Related things to show, separated by commas: ${[...relations.keys()].join(', ')}.`) }
}

const FILTERS =
  'All members hold. A field has a value, a list of them, null, or comparisons: {"age": {"gte": 18, "lt": 65}}, {"name": {"contains": "roof"}}; `and` and `or` have lists of filters, `not` has one.'

/** The fields that a filter can name, with their kinds. */
function fieldsOf({ plural }: Resource): string {
  const fields = filterable(collectionNamed(plural)).filter(({ through }) => !through)
  return `Fields: ${fields.map(({ name, kind }) => `${name} (${kindIn(kind)})`).join(', ')}.`
}

function kindIn({ name, schema }: Kind<unknown>): string {
  const { enum: choices } = schema
  return Array.isArray(choices) && choices.length <= MOST_CHOICES ? choices.join(' | ') : name
}

const named = (fields: readonly { readonly name: string }[]): string => fields.map(({ name }) => name).join(', ')
