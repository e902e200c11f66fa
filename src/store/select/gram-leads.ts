import { type Collection, type CollectionField, fieldOf, type Through } from '../../queries/collection.ts'
import { collectionOf } from '../../queries/collections.ts'
import { literalOf } from '../../queries/like-pattern.ts'
import { operators } from '../../queries/operators.ts'
import { type Condition, type Filter, isTerm } from '../../queries/query.ts'
import type { SqlDialect, SqlValue } from '../sql/dialect.ts'
import { columnOf, indexesOf, tableOf } from './columns.ts'
import { gramTable, hasGram } from './grams.ts'
import type { Select } from './select.ts'

/** The texts that the index of grams is searched for: every matching row has one of them in a searched field. */
export type GramLead = readonly GramText[]

interface GramText {
  /** All of them occur, in any of its fields. */
  readonly literals: readonly string[]
  /** Set if the text belongs to a related row. */
  readonly through?: Through
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
  lead.length === 1 && lead.every(({ literals, through }) => through === undefined && literals.every(hasGram))

function leadOf(collection: Collection, condition: Condition): GramLead | undefined {
  if (isTerm(condition)) {
    const { field, operator, values } = condition
    if (operators[operator].compares !== 'folded text' || !hasGrams(collection, field)) return undefined
    const { through } = field
    const texts = values.map((pattern) => ({ literals: [literalOf(String(pattern))], ...(through && { through }) }))
    return texts.every(({ literals }) => !literals.includes('')) ? texts : undefined
  }
  if (condition.negated || condition.any.length === 0) return undefined
  const leads = condition.any.map((filter) => gramLeads(collection, filter)[0])
  if (!leads.every((lead) => lead !== undefined)) return undefined
  // One index holds the texts of all the fields of a row.
  return [
    ...new Map(leads.flat().map((each) => [`${each.through?.reference} ${each.literals.join('\n')}`, each])).values(),
  ]
}

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
  const parts = lead.map(({ literals, through }): { readonly text: string; readonly values: readonly SqlValue[] } => {
    if (through === undefined) return dialect.gramRows(gramTable(own), literals)
    const related = collectionOf(through.of)
    const { name } = tableOf(related, dialect)
    const { text, values } = dialect.gramRows(gramTable(name), literals)
    const reference = columnOf(collection, fieldOf(collection, through.reference), dialect).sql
    const indexed = dialect.indexedKey(key(related))
    // LEFT JOIN: a related row without referring rows costs a lookup, so it counts towards the limit.
    const rows = indexed === key(related) ? '' : `LEFT JOIN ${name} ON ${name}.${indexed} = occurs.found`
    const referred = rows === '' ? 'occurs.found' : `${name}.${key(related)}`
    return {
      text: `SELECT ${own}.${found} AS found FROM (${text}) AS occurs ${rows}
        LEFT JOIN ${own} ON ${own}.${reference} = ${referred}`,
      values,
    }
  })
  const union = parts.map(({ text }, at) => `SELECT * FROM (${text}) AS part${at}`).join(' UNION ALL ')
  return { text: dialect.marked(`${union} LIMIT ${limit}`), values: parts.flatMap(({ values }) => values) }
}
