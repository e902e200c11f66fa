import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { memoize } from '../../../values/memoize.ts'
import type { Select } from '../../sql/select/select.ts'
import type { Row } from '../../sql/statement.ts'
import type { BoundStatement, Work } from '../../work/work.ts'
import { sqlite } from '../dialect.ts'

const MOST_STATEMENTS = 500

/** Runs selects, with rows as arrays. Each text is prepared once; there are few, one for each shape of query. */
export function selectRunner(db: DatabaseSync): (select: Select) => Row[] {
  const prepared = memoize(
    (text): StatementSync => {
      const statement = db.prepare(text)
      statement.setReturnArrays(true)
      return statement
    },
    MOST_STATEMENTS,
    Number.POSITIVE_INFINITY,
  )
  return ({ text, values }) => prepared(text).all(...(values as SQLInputValue[])) as unknown as Row[]
}

/** Runs work synchronously in the caller's transaction. */
export function workRunner(db: DatabaseSync): <T>(work: Work<T>) => T {
  const run = selectRunner(db)
  return (work) => {
    let next = work.next()
    while (!next.done) {
      next = work.next(next.value.map((each) => run(encoded(each))))
    }
    return next.value
  }
}

/** Converts a statement's values for the driver. */
export const encoded = ({ statement: { text }, values }: BoundStatement): Select => ({
  text,
  values: values.map(sqlite.toParameter),
})
