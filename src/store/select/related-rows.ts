import { type Collection, fieldOf, type Through } from '../../queries/collection.ts'
import { collectionOf } from '../../queries/collections.ts'
import { complementTerm, matchesNull } from '../../queries/operators.ts'
import type { Term } from '../../queries/query.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import { columnOf } from './columns.ts'
import { indexesOf } from './indexes.ts'
import { tableOf } from './tables.ts'

/** The table that a reference leads to; each row refers to at most one of its rows. */
export function relatedRows(collection: Collection, through: Through, dialect: SqlDialect) {
  const related = collectionOf(through.of)
  const { name } = tableOf(collection, dialect)
  return {
    collection: related,
    table: tableOf(related, dialect).name,
    key: columnOf(related, fieldOf(related, related.key), dialect).sql,
    /** The referring column, with its table. */
    reference: `${name}.${columnOf(collection, fieldOf(collection, through.reference), dialect).sql}`,
  }
}

/** Whether indexes lead from a value of the field to the rows that refer to its row. */
export function leadsThrough(collection: Collection, { reference, of, field }: Through): boolean {
  const isFound = field.indexed || field.name === collectionOf(of).key
  return isFound && indexesOf(collection).scopes.includes(reference)
}

/**
 * The same term on the related row. A term that matches null also matches if there is no related row: then its
 * complement is used.
 */
export const ofRelated = (term: Term, { field }: Through): Term => ({
  ...((matchesNull(term) && complementTerm(term)) || term),
  field,
})

/** Groups the terms that the same related row must match; every other term is a separate group. */
export function byRow(terms: readonly Term[]): readonly (readonly Term[])[] {
  if (terms.every(({ field }) => field.through === undefined)) return terms.map((term) => [term])
  const groups = Map.groupBy(terms, (term) => (matchesNull(term) ? term : (term.field.through?.reference ?? term)))
  return [...groups.values()]
}
