import type { ColumnType, SqlDialect } from '../sql/dialect.ts'
import { statementIn } from '../sql/dialect.ts'
import { prepared, type Row, type Statement } from '../sql/statement.ts'
import { bind, type Work } from './work.ts'

/** How rows are found by a key. */
export interface Lookup {
  readonly statement: Statement
  /** Whether it takes one key, and not a list of them. */
  readonly isForEach: boolean
}

/** A condition on a column with the key, as part of a select. */
type Keyed = (is: (column: string) => string) => string

export function lookup(dialect: SqlDialect, name: string, select: Keyed, type: ColumnType = 'text'): Lookup {
  const { asksForEach: isForEach } = dialect
  const is = (column: string): string => (isForEach ? `${column} = ?1` : dialect.among(column, '?1', type))
  return { statement: statementIn(dialect, prepared(name, select(is))), isForEach }
}

/** The rows with these keys. */
export function* lookUp({ statement, isForEach }: Lookup, keys: readonly unknown[]): Work<readonly Row[]> {
  if (keys.length === 0) return []
  const sought = keys.length === 1 ? keys : [...new Set(keys)]
  const rows = yield isForEach ? sought.map((key) => bind(statement, key)) : [bind(statement, sought)]
  return rows.length === 1 ? (rows[0] ?? []) : rows.flat()
}
