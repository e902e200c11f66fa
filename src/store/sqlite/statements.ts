import type { DatabaseSync, StatementSync } from 'node:sqlite'

const MOST_STATEMENTS = 500

/** Prepares each text once; rows come as arrays. Texts are one per shape of query, so few are alive. */
export function statementCache(db: DatabaseSync): (text: string) => StatementSync {
  const statements = new Map<string, StatementSync>()
  return (text) => {
    const known = statements.get(text)
    if (known !== undefined) return known
    const statement = db.prepare(text)
    statement.setReturnArrays(true)
    if (statements.size >= MOST_STATEMENTS) statements.clear()
    statements.set(text, statement)
    return statement
  }
}
