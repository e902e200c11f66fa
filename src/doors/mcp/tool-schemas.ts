import type { Action, Described, Listing, Shape } from '../../http/describe/vocabulary.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { answerBounds, queryBounds } from '../../values/bounds.ts'
import { groupOf } from '../../values/json/places.ts'
import type { JsonSchema, Kind } from '../../values/kinds/kind.ts'
import { objectSchema } from '../../values/members.ts'
import { choicesOf } from '../kit/described.ts'

/**
 * The input and output of a tool, as JSON Schemas without references. An assistant reads all of them before it answers,
 * so the shape of a thing is only at the tool that reads it. decisions/0040
 */
export interface ToolSchemas {
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
}

type Properties = { readonly [name: string]: JsonSchema }

export function schemasOf({ operation, places: { plain, groups } }: Action): ToolSchemas {
  const own = plain.map(({ name, member: { kind, default: initial } }) => [
    name,
    name === 'id'
      ? idOf(operation.on)
      : { ...briefly(described(kind)), ...(initial !== undefined && { default: kind.write(initial) }) },
  ])
  const guards = { ...(operation.to !== 'nothing' && { expectedRevision }), commandId, dryRun }
  const required = plain.filter(({ member }) => member.required).map(({ name }) => name)
  return { inputSchema: objectSchema({ ...Object.fromEntries(own), ...briefGroups(groups), ...guards }, required) }
}

export function getSchemas({ resource, shape, listing }: Described): ToolSchemas {
  return {
    inputSchema: objectSchema({ id: idOf(resource), ...memberSettings(listing) }, ['id']),
    outputSchema: orProblem({ type: 'object', properties: propertiesOf(shape) }),
  }
}

export function listSchemas({ resource, listing }: Described): ToolSchemas {
  const { searched } = listing.collection
  const input: Properties = {
    filter: { type: 'object', description: fieldsOf(resource, listing) },
    ...(searched.length > 0 && {
      [SEARCH]: text(
        `Words that ${named(searched.filter(({ through, name }) => through || groupOf(name) === ''))} must have.`,
      ),
    }),
    sort: { type: 'string' },
    limit: { type: 'integer', minimum: 1, maximum: answerBounds.page },
    after: { type: 'string' },
    before: { type: 'string' },
    page: { type: 'integer', minimum: 1 },
    count: { type: 'string', enum: ['exact'] },
    ...memberSettings(listing),
    group: { type: 'string' },
    measure: { type: 'string' },
  }
  return { inputSchema: objectSchema(input, []) }
}

/** The tool that describes the added fields. */
export const DESCRIBE_FIELDS = 'describe_fields'

export function describeSchemas(on: readonly string[]): ToolSchemas {
  return { inputSchema: objectSchema({ on: { type: 'string', enum: on } }, []) }
}

export function searchSchemas(): ToolSchemas {
  return {
    inputSchema: objectSchema({ [SEARCH]: { ...text(`At most ${queryBounds.words} words, or an id.`), minLength: 1 } }),
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
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { code: { type: 'string' }, with: { type: 'object' }, detail: { type: 'string' } },
      },
    },
  },
  required: ['code', 'status', 'title', 'detail'],
}

const text = (description: string): JsonSchema => ({ type: 'string', description })

/** The settings of every list, for the instructions of the server: described at each tool, they would cost as often. */
export const listInstructions =
  'A list takes `filter`, of which all members hold: a field has a value, a list of them, null, or comparisons, {"age": {"gte": 18, "lt": 65}}, {"name": {"contains": "roof"}}; `and` and `or` have lists of filters, `not` has one. `sort` has fields, separated by commas, downwards with a - before, such as -updatedAt,id. `limit` is the items of a page, 50 if it is absent; `after` and `before` continue a list with the `after` or `before` of a page, `page` is a number, by which groups continue; `count` asks for the `total`; `fields` are the members to show. `group` has fields that make groups, dates also by .year, .month, .week and .day; `measure` is what is computed of each: count, or sum, avg, min, max of a field, such as sum.price.'

// Every writing tool has them, and the instructions of the server explain them.
const expectedRevision: JsonSchema = { type: 'integer', minimum: 1 }
const commandId: JsonSchema = { type: 'string', maxLength: 128 }
const dryRun: JsonSchema = { type: 'boolean' }

const idOf = ({ kinds, name }: Resource): JsonSchema => ({ ...kinds.id?.schema, description: `The id of the ${name}.` })

const described = ({ schema, refersTo }: Kind<unknown>): JsonSchema =>
  refersTo === undefined ? schema : { ...schema, description: `The id of a ${refersTo}.` }

/** The most values of a choice that are listed wherever it is shown. */
const MOST_CHOICES = 10

function propertiesOf({ plain, groups }: Shape): Properties {
  return {
    ...Object.fromEntries(plain.map(({ name, member: { kind } }) => [name, briefly(kind.schema)])),
    ...briefGroups(groups),
  }
}

const briefGroups = (groups: readonly { readonly name: string }[]): Properties =>
  Object.fromEntries(groups.map(({ name }) => [name, ADDED]))

/** There may be many, and they change: one tool describes them. */
const ADDED: JsonSchema = {
  type: 'object',
  description: `Added fields by their names; ${DESCRIBE_FIELDS} tells which.`,
}

/** Without the currencies and countries of the world: an unknown one is refused, with the nearest one. */
function briefly({ anyOf, ...schema }: JsonSchema): JsonSchema {
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.map(briefly) }
  const { enum: choices, ...rest } = schema
  if (!Array.isArray(choices) || choices.length <= MOST_CHOICES) return schema
  return { ...rest, description: `A code such as ${choices[0]}.` }
}

function memberSettings({ collection: { relations } }: Listing): Properties {
  const fields: JsonSchema = { type: 'string' }
  return relations.size === 0
    ? { fields }
    : { fields, expand: text(`Related things to show, separated by commas: ${[...relations.keys()].join(', ')}.`) }
}

/** The fields that a filter can name, with their kinds. */
function fieldsOf({ added: addedFields }: Resource, { places }: Listing): string {
  const listed = places.plain.map(({ name, member: { kind } }) => `${name} (${kindIn(kind)})`).join(', ')
  const added = addedFields.length === 0 ? '' : ` Added fields are named own.NAME: ${DESCRIBE_FIELDS} tells which.`
  return `Such as {"revision": {"gte": 2}}. Fields: ${listed}.${added}`
}

const kindIn = (kind: Kind<unknown>): string =>
  (kind.nullable ? undefined : choicesOf(kind, MOST_CHOICES))?.join(' | ') ?? kind.name

const named = (fields: readonly { readonly name: string }[]): string => fields.map(({ name }) => name).join(', ')
