import type { CollectionField } from '../../queries/collection.ts'
import { BETWEEN } from '../../values/kinds/choices.ts'
import { JOINED_BY, jointRanks, type Kind, type KindName, type Within } from '../../values/kinds/kind.ts'
import { columnName } from '../sql/column-name.ts'
import type { ColumnType, SqlColumn, SqlDialect } from '../sql/dialect.ts'

interface KindColumn {
  readonly type: ColumnType
  /** The expression that queries use; it replaces the expression if it has another one. */
  readonly column: (
    sql: string,
    kind: Kind<unknown>,
    dialect: SqlDialect,
  ) => Omit<SqlColumn, 'sql' | 'type'> & Partial<Pick<SqlColumn, 'sql'>>
}

const asText: KindColumn = { type: 'text', column: (sql) => ({ text: sql }) }

/** How the values of each kind are stored and compared. */
export const kindColumns: Readonly<Record<KindName, KindColumn>> = {
  text: asText,
  date: asText,
  instant: asText,
  uuid: asText,
  json: asText,
  integer: { type: 'bigint', column: (sql) => ({ text: `CAST(${sql} AS TEXT)` }) },
  amount: {
    type: 'bigint',
    column(sql, { decimals, isTotal }, dialect) {
      const text = dialect.amountText(sql, decimals)
      // Totals above the safe integers, which an earlier release stored, sort together, at their end.
      return isTotal ? { sql: dialect.smaller(sql, String(Number.MAX_SAFE_INTEGER)), text, whole: sql } : { text }
    },
  },
  boolean: { type: 'boolean', column: (sql, _kind, dialect) => ({ text: booleanText(sql), is: dialect.truths(sql) }) },
  choice: {
    type: 'text',
    column(sql, { within, ranks }, dialect) {
      if (within !== undefined) return { text: sql, ...rankedWithin(sql, within, dialect) }
      return { text: sql, ...(ranks && rankedBy(sql, ranks, dialect)) }
    },
  },
  choices: {
    type: 'text',
    column: (sql, _kind, dialect) => ({
      text: sql,
      has: (value) =>
        dialect.hasPart(`'${BETWEEN}' || ${sql} || '${BETWEEN}'`, `'${BETWEEN}' || ${value} || '${BETWEEN}'`),
    }),
  },
}

/** The type of a field's column, on every engine. */
export const columnType = ({ kind }: Pick<CollectionField, 'kind'>): ColumnType => kindColumns[kind.name].type

/** Sorted by both columns together; a value in a range has its rank for the row's other column. */
function rankedWithin(sql: string, within: Within, dialect: SqlDialect): Pick<SqlColumn, 'order' | 'range'> {
  const beside = `${columnName(within.field, { name: 'choice' })} || '${JOINED_BY}' || `
  const ranks = jointRanks(within)
  const { order, range } = rankedBy(`${beside}${sql}`, ranks, dialect)
  const { ranks: _same, ...compared } = range
  const parameter = rankOf(`${beside}${dialect.parameter('text')}`, ranks, dialect)
  return { order: { ...order, selected: `${beside}${sql}` }, range: { ...compared, parameter } }
}

/** A stored value that the model no longer has is sorted behind the others, and is in no range. */
function rankedBy(sql: string, ranks: ReadonlyMap<unknown, number>, dialect: SqlDialect) {
  const column = { type: 'bigint', text: sql, ranks } as const
  const behind = ` ELSE CASE WHEN ${sql} IS NOT NULL THEN ${ranks.size} END`
  return {
    order: { ...column, sql: rankOf(sql, ranks, dialect, behind) },
    range: { ...column, sql: rankOf(sql, ranks, dialect) },
  }
}

/** The rank of a choice among its values, which are few. */
export const rankOf = (
  sql: string,
  ranks: ReadonlyMap<unknown, number>,
  { literal }: SqlDialect,
  otherwise = '',
): string =>
  `CASE ${sql} ${[...ranks].map(([value, rank]) => `WHEN ${literal(String(value))} THEN ${rank}`).join(' ')}${otherwise} END`

export const booleanText = (sql: string): string => `CASE WHEN ${sql} THEN 'true' WHEN NOT ${sql} THEN 'false' END`
