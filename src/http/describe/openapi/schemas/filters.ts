import { bySchema } from '../../../../model/declaration/by-schema.ts'
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
import { queryBounds } from '../../../../values/bounds.ts'
import type { JsonSchema, KindName } from '../../../../values/kinds/kind.ts'
import { query } from '../parameter.ts'
import { titleOf } from './item-schemas.ts'
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

/** A filter as a parameter, under the name of its component. */
export type FilterComponent = readonly [name: string, parameter: JsonSchema]

/**
 * The filters of each collection, one flat parameter each: generators cannot send an object of them. Equal ones of
 * several collections are one component.
 */
export const filterComponents = bySchema((schema: Schema): ReadonlyMap<string, readonly FilterComponent[]> => {
  const known = new Map<string, string>()
  return new Map(
    Object.values(collectionsOf(schema)).map((collection) => [
      collection.name,
      filtersOf(collection).map((parameter): FilterComponent => {
        const name = `Filter.${parameter.name}`.replace('$', 'dollar-')
        const text = JSON.stringify(parameter)
        const own = known.get(name) ?? text
        known.set(name, own)
        return [own === text ? name : titleOf(collection) + name, parameter]
      }),
    ]),
  )
})

function filtersOf(collection: Collection): readonly JsonSchema[] {
  const byMeaning = Map.groupBy(filterParameters(collection), ({ field, operator }) => `${field.name} ${operator}`)
  const notes = dialects.flatMap(({ note, holders }) => (note === undefined || holders ? [] : [note(collection)]))
  const searched = query(SEARCH, `Words to find. ${notes.join(' ')}`, reference('FilterSearch'))
  return [
    ...[...byMeaning.values()].flatMap((spellings) => filterOf(spellings, collection)),
    ...(collection.searched.length > 0 ? [searched] : []),
    ...expressions.flatMap((dialect) =>
      (dialect.holders ?? []).map((name) =>
        query(name, `A filter as ${dialect.name} has it.`, reference(expressionName(dialect))),
      ),
    ),
  ]
}

/** The parameter of a comparison, under its most usual name, which has no sign that an address would escape. */
function filterOf(spellings: readonly FilterParameter[], collection: Collection): readonly JsonSchema[] {
  const parameter = spellings.find(isParameter)
  if (parameter === undefined) return []
  const { name, field, operator } = parameter
  // The signs behind the name of the field: the text is the same for all fields.
  const endings = spellings.flatMap((each) =>
    each.name.startsWith(field.name) ? [each.name.slice(field.name.length)] : [],
  )
  const others = new Set(endings.filter((ending) => /^[[<>!]/.test(ending)))
  const also = others.size === 0 ? '' : ` Also \`${[...others].join('`, `')}\` behind the name.`
  return [query(name, `${comparisons[operator]}${also}`, comparedWith(parameter, collection))]
}

/** The values that each comparison leaves. */
const comparisons: Readonly<Record<FilterParameter['operator'], string>> = {
  eq: 'This value.',
  ne: 'Another value.',
  gt: 'More than this.',
  gte: 'At least this.',
  lt: 'Less than this.',
  lte: 'At most this.',
  in: 'Any of these.',
  contains: 'With this part.',
  starts: 'With this start.',
  ends: 'With this end.',
  regex: 'As the pattern says.',
  null: 'Empty, or not.',
  unknown: 'Names nobody, or somebody.',
}

/**
 * Filters that are read but not listed: fields of related things, and comparisons that say nothing of a kind, such as patterns of
 * numbers, the order of booleans and nulls of fields that are never empty.
 */
const isParameter = ({ name, usual, operator, field }: FilterParameter): boolean =>
  field.through === undefined &&
  (name === field.name || (usual && name === `${field.name}.${operator}` && isListed(field, operator)))

function isListed({ kind }: CollectionField, operator: FilterParameter['operator']): boolean {
  if (operator === 'eq' || !(meaningOf(operator).suits?.(kind) ?? true)) return false
  if (operator === 'regex') return kind.name === 'text'
  return !(isOrdering.has(operator) && unordered.has(kind.name))
}

const isOrdering: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte'])
const unordered: ReadonlySet<KindName> = new Set(['boolean', 'choices', 'uuid', 'json'])

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
