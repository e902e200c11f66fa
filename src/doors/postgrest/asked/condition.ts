import type { Collection } from '../../../queries/collection.ts'
import { logicNames } from '../../../queries/dialects/logic-parameters.ts'
import { filterField, noSuchField } from '../../../queries/expressions/comparison.ts'
import { readOperands, readPredicate } from '../../../queries/expressions/logic.ts'
import {
  expectEnd,
  literalAt,
  readExpression,
  type Scanner,
  skipSpaces,
  take,
} from '../../../queries/expressions/scanner.ts'
import type { SortTerm, Tree } from '../../../queries/query.ts'
import type { Parameter } from '../../../queries/query-string.ts'
import { readSort } from '../../../queries/sort.ts'
import type { Reason } from '../../../values/faults/fault.ts'
import { groupOf } from '../../../values/json/places.ts'
import type { Read } from '../../../values/kinds/kind.ts'
import { groupsOf } from '../../../values/members.ts'
import { asInSql } from './three-values.ts'

/** The condition of a parameter: a comparison, or `or`, `and` and `not.or`. */
export function readCondition(
  collection: Collection,
  name: string,
  { value = '' }: Parameter,
): Tree | { readonly fault: Reason } {
  const logic = logicNames.get(name)
  if (logic === undefined) return readComparison(collection, name, value)
  return readExpression(value, (scanner) => {
    skipSpaces(scanner)
    const truth = readOperands({ scanner, collection, ...asInSql }, logic.logic)
    expectEnd(scanner, 'end')
    return logic.negated ? truth.isFalse : truth.isTrue
  })
}

/** `gte.18`; the rest of the text is the value. */
function readComparison(collection: Collection, name: string, text: string): Tree | { readonly fault: Reason } {
  const field = filterField(collection, withDots(name))
  if (field === undefined) return noSuchField(collection, withDots(name), withArrowIn(collection))
  return readExpression(text, (scanner) => {
    const { isTrue } = readPredicate({ scanner, collection, ...asInSql }, field, () => readRest(scanner))
    expectEnd(scanner, 'end')
    return isTrue
  })
}

/** The order of rows, with the places of nulls. */
export const readOrder = (collection: Collection, text: string): Read<readonly SortTerm[]> =>
  readSort(collection, withDots(text), 'as in SQL')

/** A path into a column, by its names. */
export const withDots = (text: string): string => text.replaceAll(/->>?/g, '.')
const withArrowIn =
  ({ columns }: Collection) =>
  (name: string): string =>
    groupsOf(columns).has(groupOf(name)) ? name.replace('.', '->>') : name

const everythingElse = /[\s\S]*/y

const readRest = (scanner: Scanner): string => literalAt(scanner.at, take(scanner, everythingElse) ?? '')
