import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Select } from '../sql/select.ts'

const MOST_STATEMENTS = 500

/** Runs selects; each text is prepared once, and rows come as arrays. Texts are one per shape of query, so few are alive. */
export function selectRunner(db: DatabaseSync): (select: Select) => unknown[][] {
  const statements = new Map<string, StatementSync>()
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text)
    if (known !== undefined) return known
    const statement = db.prepare(text)
    statement.setReturnArrays(true)
    if (statements.size >= MOST_STATEMENTS) statements.clear()
    statements.set(text, statement)
    return statement
  }
  // A select for SQLite, which has no booleans, has none either.
  return ({ text, values }) => prepared(text).all(...(values as SQLInputValue[])) as unknown as unknown[][]
}
