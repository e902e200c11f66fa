import type { Collection, Field } from '../../queries/collection.ts'
import { filterable } from '../../queries/dialect.ts'
import { dialects } from '../../queries/dialects/dialects.ts'
import { LONGEST_PATTERN } from '../../queries/regex.ts'
import type { JsonSchema, KindName } from '../../values/kind.ts'
import { ownText, reference, sharedName } from './schema.ts'

const LIST = 'Values, separated by commas: any of them.'

/** What is compared with, by the kind of the field; a filter may lie outside of what can be kept. */
export const filterValues: { readonly [name: string]: JsonSchema } = {
  FilterText: { ...ownText(8000), minLength: 1 },
  FilterTextOrNone: ownText(8000),
  FilterInteger: { type: 'integer', format: 'int64', minimum: -(2 ** 53), maximum: 2 ** 53 },
  FilterAmount: { type: 'number', format: 'double', minimum: -(2 ** 53), maximum: 2 ** 53 },
  FilterDate: { type: 'string', format: 'date', maxLength: 10 },
  FilterInstant: { type: 'string', format: 'date-time', maxLength: 29 },
  FilterUuid: { type: 'string', format: 'uuid', maxLength: 36 },
  FilterBoolean: { type: 'boolean' },
  FilterPattern: { ...ownText(LONGEST_PATTERN), minLength: 1, description: 'A regular expression of RE2’s syntax.' },
  FilterList: { ...ownText(8000), minLength: 1, description: LIST },
  FilterListOrNone: { ...ownText(8000), description: `${LIST} An empty one asks for the empty text.` },
}

const byKind: Readonly<Record<KindName, string>> = {
  text: 'FilterText',
  choice: 'FilterText',
  integer: 'FilterInteger',
  amount: 'FilterAmount',
  date: 'FilterDate',
  instant: 'FilterInstant',
  uuid: 'FilterUuid',
  boolean: 'FilterBoolean',
}

const compared = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const

/** Everything that a query may say about the fields of a collection, each name a property: one exploded parameter. */
export function filterSchema(collection: Collection): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const field of filterable(collection)) {
    const value = valueSchema(field)
    properties[field.name] = value
    for (const operator of compared) properties[`${field.name}.${operator}`] = value
    for (const sign of ['>', '<', '!']) properties[`${field.name}${sign}`] = value
    properties[`${field.name}.in`] = reference(canBeEmpty(field) ? 'FilterListOrNone' : 'FilterList')
    properties[`${field.name}.regex`] = reference('FilterPattern')
    properties[`${field.name}.null`] = reference('FilterBoolean')
  }
  for (const form of dialects) {
    for (const name of form.names(collection)) properties[name] ??= boundOf(collection, name)
  }
  const fields = filterable(collection)
    .map(({ name }) => name)
    .join('|')
  const suffixes = [...compared, 'in', 'regex', 'null'].join('|')
  return {
    type: 'object',
    description: `Filters on ${collection.name}, freely combined: different comparisons are ANDed, the same one repeated means any of its values (for \`ne\`: none). \`gt\`, \`lt\`, \`min\` and \`max\` are on \`${collection.key}\`. Names with operators work too: \`price>=5\` is the name \`price>\`, \`price!=5\` the name \`price!\`, and \`price>5\` is a name without a value.`,
    properties,
    // Generators make nothing of it, which is right: a name such as `price>5` is of no fixed list.
    propertyNames: {
      pattern: `^(gt|lt|min|max|((min|max)-)?(${fields})|(${fields})\\.(${suffixes})|(${fields})[<>!][\\s\\S]*)$`,
    },
  }
}

function valueSchema(field: Field): JsonSchema {
  const name = sharedName(schemaOf(field))
  return reference(name ?? (canBeEmpty(field) ? 'FilterTextOrNone' : byKind[field.kind.name]))
}

/** Where a field can be empty, an empty text asks for that. */
function canBeEmpty(field: Field): boolean {
  const schema = schemaOf(field)
  return field.kind.name === 'text' && schema.minLength === undefined && schema.pattern === undefined
}

const schemaOf = ({ kind }: Field): JsonSchema =>
  (kind.schema.anyOf as readonly JsonSchema[] | undefined)?.[0] ?? kind.schema

/** `gt`, `lt`, `min` and `max` are on the key, `min-age` and `max-age` on their field. */
function boundOf(collection: Collection, name: string): JsonSchema {
  const field = collection.fields.get(name.slice(4)) ?? collection.fields.get(collection.key)
  return field === undefined ? {} : valueSchema(field)
}
