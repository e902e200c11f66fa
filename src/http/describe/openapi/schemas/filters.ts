import type { Schema } from '../../../../model/declaration/schema.ts'
import { type Collection, type CollectionField, fieldOf } from '../../../../queries/collection.ts'
import { collectionsOf } from '../../../../queries/collections.ts'
import type { Dialect } from '../../../../queries/dialects/dialect.ts'
import { dialects } from '../../../../queries/dialects/dialects.ts'
import { type FilterParameter, filterParameters } from '../../../../queries/dialects/filter-parameters.ts'
import { SEARCH } from '../../../../queries/dialects/search.ts'
import { meaningOf } from '../../../../queries/expressions/comparison.ts'
import type { Compared } from '../../../../queries/operators.ts'
import type { Term, Value } from '../../../../queries/query.ts'
import { ownSettingNames, settingNames } from '../../../../queries/settings.ts'
import { queryBounds } from '../../../../values/bounds.ts'
import type { JsonSchema, KindName } from '../../../../values/kinds/kind.ts'
import { ownText, reference, sharedName } from './schema.ts'

/** The dialects that have parameters for whole filters. */
const expressions = dialects.filter((dialect) => dialect.holders !== undefined)

const LIST = 'Values, separated by commas: any of them.'

/** The values of filters, by the kind of the field; they may be outside the field's own limits. */
export const filterValues = (schema: Schema): { readonly [name: string]: JsonSchema } => ({
  FilterText: { ...ownText(8000), minLength: 1 },
  FilterTextOrNone: ownText(8000),
  FilterInteger: { type: 'integer', format: 'int64', minimum: -(2 ** 53), maximum: 2 ** 53 },
  FilterAmount: { type: 'number', format: 'double', minimum: -(2 ** 53), maximum: 2 ** 53 },
  FilterDate: { type: 'string', format: 'date', maxLength: 10 },
  FilterInstant: { type: 'string', format: 'date-time', maxLength: 29 },
  FilterUuid: { type: 'string', format: 'uuid', maxLength: 36 },
  FilterBoolean: { type: 'boolean' },
  FilterPattern: {
    ...ownText(queryBounds.pattern),
    minLength: 1,
    description: 'A regular expression of RE2’s syntax.',
  },
  FilterPart: {
    ...ownText(queryBounds.search),
    minLength: 1,
    description: 'Any part of the text, its start or its end, whatever its case, accents or width.',
  },
  FilterSearch: {
    ...ownText(queryBounds.search),
    minLength: 1,
    description: `Words, ${queryBounds.words} at most: each must occur in one of the searched fields.`,
  },
  ...Object.fromEntries(expressions.map((dialect) => [expressionName(dialect), expressionSchema(dialect, schema)])),
  FilterList: { ...ownText(8000), minLength: 1, description: LIST },
  FilterListOrNone: { ...ownText(8000), description: `${LIST} An empty one asks for the empty text.` },
})

const byKind: Readonly<Record<KindName, string>> = {
  text: 'FilterText',
  choice: 'FilterText',
  choices: 'FilterText',
  integer: 'FilterInteger',
  amount: 'FilterAmount',
  date: 'FilterDate',
  instant: 'FilterInstant',
  uuid: 'FilterUuid',
  boolean: 'FilterBoolean',
  json: 'FilterText',
}

/** All filters of a collection as one exploded parameter, whose properties are the names. */
export function filterSchema(collection: Collection): JsonSchema {
  const parameters = filterParameters(collection)
  const searches = collection.searched.length > 0 ? [SEARCH] : []
  const named = parameters.filter(isProperty)
  const notes = dialects.flatMap(({ note, holders }) => (note === undefined || holders ? [] : [note(collection)]))
  return {
    type: 'object',
    description: `Filters on ${collection.name}, freely combined: different comparisons are ANDed, the same one repeated means any of its values (for \`ne\`: none). ${notes.join(' ')}`,
    properties: {
      ...Object.fromEntries(named.map((parameter) => [parameter.name, comparedWith(parameter, collection)])),
      ...(collection.searched.length > 0 && { [SEARCH]: reference('FilterSearch') }),
      ...Object.fromEntries(
        expressions.flatMap((dialect) =>
          (dialect.holders ?? []).map((name) => [name, reference(expressionName(dialect))]),
        ),
      ),
    },
    // Generators ignore it, as they should: a name such as `price>5` is not from a fixed list.
    propertyNames: { pattern: `^(${[...namePatterns(parameters), ...searches, ...otherPatterns].join('|')})$` },
  }
}

/** Names with signs (`age>`, `age[gte]`), longer ones for equality and fields of related things are only patterns. */
const isProperty = ({ name, usual, operator, field }: FilterParameter): boolean =>
  name === field.name ||
  (usual && /^[\w.-]+$/.test(name) && operator !== 'eq' && field.through === undefined && isListed(field, operator))

/**
 * The names that hold whole filters, and the other names of settings, which are described with their own parameters.
 */
const otherPatterns: readonly string[] = [
  ...dialects.flatMap(({ holders = [] }) => holders),
  ...settingNames.difference(ownSettingNames),
].map(escaped)

/** Parts of numbers and dates, and nulls of fields without any, can be queried, but need no documentation. */
const isListed = ({ kind }: CollectionField, operator: FilterParameter['operator']): boolean =>
  meaningOf(operator).suits?.(kind) ?? true

const comparedTexts: { readonly [C in Compared]?: string } = {
  text: 'FilterPattern',
  'folded text': 'FilterPart',
  presence: 'FilterBoolean',
  user: 'FilterBoolean',
}

function comparedWith({ field, operator }: FilterParameter, collection: Collection): JsonSchema {
  if (operator === 'in') return reference(canBeEmpty(field) ? 'FilterListOrNone' : 'FilterList')
  const text = comparedTexts[meaningOf(operator).compares]
  return text === undefined ? valueSchema(field, collection) : reference(text)
}

/** Merges names that differ only in the field or its suffix into one pattern. */
function namePatterns(parameters: readonly FilterParameter[]): readonly string[] {
  const fields = new Map<string, Set<string>>()
  for (const { name, field, holdsValue } of parameters) {
    const inBrackets = name.includes(field.name) ? undefined : bracketed(field.name).find((each) => name.includes(each))
    const written = inBrackets ?? field.name
    const [before = '', after] = name.split(written, 2)
    const ending = `${escaped(after ?? '')}${holdsValue ? '[\\s\\S]*' : ''}`
    const around = JSON.stringify(after === undefined ? [escaped(before), ''] : [escaped(before), ending])
    fields.set(around, (fields.get(around) ?? new Set()).add(after === undefined ? '' : written))
  }
  const endings = new Map<string, string[]>()
  for (const [around, names] of fields) {
    const [before, after] = JSON.parse(around) as [string, string]
    const start = `${before}${grouped([...names].map(escaped))}`
    endings.set(start, [...(endings.get(start) ?? []), after])
  }
  return [...endings].map(([start, ends]) => `${start}${grouped(ends)}`)
}

/** A field of a related thing is also named `filter[customer][country]` and `customer[country]`. */
function bracketed(name: string): readonly string[] {
  const [first = '', ...others] = name.split('.')
  return [[first, ...others].join(']['), `${first}${others.map((each) => `[${each}]`).join('')}`]
}

const grouped = (texts: readonly string[]): string => (texts.length === 1 ? (texts[0] ?? '') : `(${texts.join('|')})`)

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function valueSchema(field: CollectionField, { schema }: Collection): JsonSchema {
  const name = sharedName(schemaOf(field), schema)
  const value = reference(name ?? (canBeEmpty(field) ? 'FilterTextOrNone' : byKind[field.kind.name]))
  const { groups } = field.kind
  return groups === undefined ? value : { anyOf: [value, { type: 'string', enum: [...groups.keys()] }] }
}

/** If a field can be empty, an empty text filters for that. */
function canBeEmpty(field: CollectionField): boolean {
  const schema = schemaOf(field)
  return field.kind.name === 'text' && schema.minLength === undefined && schema.pattern === undefined
}

const schemaOf = ({ kind }: CollectionField): JsonSchema =>
  (kind.schema.anyOf as readonly JsonSchema[] | undefined)?.[0] ?? kind.schema

/** `ODataFilterExpression`. */
function expressionName({ name }: Dialect): string {
  return `${name.replaceAll(/(?:^|\W+)(\w)/g, (_, letter: string) => letter.toUpperCase())}Expression`
}

/** Described once for all collections, with an example of customers. */
function expressionSchema({ note, write }: Dialect, schema: Schema): JsonSchema {
  const { customers } = collectionsOf(schema)
  const term = (name: string, value: Value): Term => ({
    field: fieldOf(customers, name),
    operator: 'gte',
    values: [value],
  })
  const written = write?.(customers, [{ any: [[term('age', 65)], [term('children', 3)]], negated: false }]) ?? ''
  const example = decodeURIComponent(written.slice(written.indexOf('=') + 1).replaceAll('+', ' '))
  return { ...ownText(8000), minLength: 1, description: note?.(customers) ?? '', examples: [example] }
}
