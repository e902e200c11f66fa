import { type Collection, type CollectionField, fieldOf, type Through } from '../../queries/collection.ts'
import { collectionOf } from '../../queries/collections.ts'
import { literalOf } from '../../queries/like-pattern.ts'
import { operators } from '../../queries/operators.ts'
import { type Condition, type Filter, isTerm } from '../../queries/query.ts'
import type { SqlDialect, SqlValue } from '../sql/dialect.ts'
import { columnOf, foldedOf } from './columns.ts'
import { gramTable, hasGram } from './grams.ts'
import { indexesOf } from './indexes.ts'
import type { Select } from './select.ts'
import { tableOf } from './tables.ts'

/** The texts that the index of grams is searched for: every matching row has one of them in a searched field. */
export type GramLead = readonly GramText[]

interface GramText {
  /** All of them occur, in any of its fields. */
  readonly literals: readonly string[]
  /** Set if the text belongs to a related row: it is checked there, because its index has the texts of other fields too. */
  readonly related?: { readonly through: Through; readonly pattern: string }
}

export function gramLeads(collection: Collection, filter: Filter): readonly GramLead[] {
  const leads = filter.flatMap((each) => {
    const lead = leadOf(collection, each)
    return lead === undefined ? [] : [lead]
  })
  // Words that only the thing's own fields can contain are searched together: a rare one makes the others cheap.
  const [together, others] = [leads.filter(isOwnGram), leads.filter((lead) => !isOwnGram(lead))]
  const literals = together.flatMap(([text]) => text?.literals ?? [])
  return literals.length === 0 ? others : [[{ literals }], ...others]
}

const isOwnGram = (lead: GramLead): boolean =>
  lead.length === 1 && lead.every(({ literals, related }) => related === undefined && literals.every(hasGram))

function leadOf(collection: Collection, condition: Condition): GramLead | undefined {
  if (isTerm(condition)) {
    const { field, operator, values } = condition
    if (operators[operator].compares !== 'folded text' || !hasGrams(collection, field)) return undefined
    const { through } = field
    const texts = values.map(String).map((pattern) => ({
      literals: [literalOf(pattern)],
      ...(through && { related: { through, pattern } }),
    }))
    return texts.every(({ literals }) => !literals.includes('')) ? texts : undefined
  }
  if (condition.negated || condition.any.length === 0) return undefined
  const leads = condition.any.map((filter) => gramLeads(collection, filter)[0])
  if (!leads.every((lead) => lead !== undefined)) return undefined
  // One index holds the texts of all the fields of a row.
  return [...new Map(leads.flat().map((each) => [sameness(each), each])).values()]
}

const sameness = ({ literals, related }: GramText): string =>
  [related?.through.reference, related?.through.field.name, related?.pattern ?? literals].join('\n')

function hasGrams(collection: Collection, field: CollectionField): boolean {
  const { through } = field
  if (through === undefined) return collection.searched.includes(field) || field.digitsOf !== undefined
  const related = collectionOf(through.of)
  return (
    related.searched.includes(fieldOf(related, through.field.name)) &&
    indexesOf(collection).scopes.includes(through.reference)
  )
}

/** The rows of a lead, up to the limit, by their row ids or their keys; some may be null. */
export function leadSelect(
  collection: Collection,
  lead: GramLead,
  dialect: SqlDialect,
  by: 'row id' | 'key',
  limit: number,
): Select {
  const own = tableOf(collection, dialect).name
  const key = (each: Collection) => columnOf(each, fieldOf(each, each.key), dialect).sql
  const found = by === 'key' ? key(collection) : dialect.rowId
  const parts = lead.map(({ literals, related }): { readonly text: string; readonly values: readonly SqlValue[] } => {
    if (related === undefined) return dialect.gramRows(gramTable(own), literals)
    const { through, pattern } = related
    const others = collectionOf(through.of)
    const { name } = tableOf(others, dialect)
    const { text, values } = dialect.gramRows(gramTable(name), literals)
    const reference = columnOf(collection, fieldOf(collection, through.reference), dialect).sql
    const folded = foldedOf(others, fieldOf(others, through.field.name), dialect)
    const referred = `SELECT ${key(others)} FROM ${name} WHERE ${name}.${dialect.indexedKey(key(others))} = occurs.found
      AND ${folded} LIKE ${dialect.parameter('text')} ESCAPE '\\'`
    // LEFT JOIN: a related row without referring rows costs a lookup, so it counts towards the limit.
    return {
      text: `SELECT ${own}.${found} AS found FROM (SELECT (${referred}) AS referred FROM (${text}) AS occurs) AS others
        LEFT JOIN ${own} ON ${own}.${reference} = others.referred`,
      values: [pattern, ...values],
    }
  })
  const union = parts.map(({ text }, at) => `SELECT * FROM (${text}) AS part${at}`).join(' UNION ALL ')
  return { text: dialect.marked(`${union} LIMIT ${limit}`), values: parts.flatMap(({ values }) => values) }
}
