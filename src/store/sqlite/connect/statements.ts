import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Durations } from '../../../monitoring/durations.ts'
import { SEPARATOR, TextPacker } from '../../../values/json/texts.ts'
import { memoize } from '../../../values/memoize.ts'
import { wholeEvent } from '../../rows/whole-state.ts'
import type { ListedRows, PackedRows } from '../../select/read-page.ts'
import type { Select } from '../../select/select.ts'
import type { Row } from '../../sql/statement.ts'
import type { BoundStatement, Work } from '../../transactions/work.ts'
import { sqlite } from '../sql/dialect.ts'

const MOST_STATEMENTS = 500

/** Statements with rows as arrays. Each text is prepared once; there are few, one for each shape of query. */
const preparer = (db: DatabaseSync, rewrite = (text: string): string => text): ((text: string) => StatementSync) =>
  memoize(
    (text) => {
      const statement = db.prepare(rewrite(text))
      statement.setReturnArrays(true)
      return statement
    },
    MOST_STATEMENTS,
    Number.POSITIVE_INFINITY,
  )

export function selectRunner(db: DatabaseSync, durations?: Durations): (select: Select) => Row[] {
  const prepared = preparer(db)
  return timed(({ text, values }) => prepared(text).all(...(values as SQLInputValue[])) as unknown as Row[], durations)
}

const timed = <S, T>(run: (statement: S) => T, durations: Durations | undefined): ((statement: S) => T) =>
  durations === undefined
    ? run
    : (statement) => {
        const began = performance.now()
        const result = run(statement)
        durations.observe((performance.now() - began) / 1000)
        return result
      }

/** Runs selects whose first column is a text, packed row by row: all the texts at once would take a lot of memory. */
export function packedRunner(db: DatabaseSync): (select: Select, isTold: boolean) => PackedRows {
  const prepared = preparer(db)
  return ({ text, values }, isTold) => {
    const packing = new TextPacker()
    const others: Row[] = []
    const rows = prepared(text).iterate(...(values as SQLInputValue[])) as unknown as Iterable<Row>
    for (const [first, ...row] of rows) {
      packing.add(isTold ? wholeEvent(String(first)) : String(first))
      others.push(row)
    }
    return { ...packing.end(), values: others }
  }
}

/** The first column of rows as lines, in UTF-8, and the other columns of the last row. */
export interface Lines {
  readonly lines: Uint8Array
  readonly count: number
  readonly last: readonly unknown[]
}

export function linesRunner(db: DatabaseSync): (select: Select) => Lines {
  const run = joinedRunner(db, '\n', '\n')
  return (select) => {
    const [lines, count, others] = run(select)
    const last = others?.slice(others.lastIndexOf('\n') + 1) ?? '[]'
    return { lines: lines ?? new Uint8Array(), count, last: JSON.parse(last) as unknown[] }
  }
}

/** Runs selects of short pages: their texts as a list of JSON has them. */
export function listRunner(db: DatabaseSync, durations?: Durations): (select: Select) => ListedRows {
  const run = timed(joinedRunner(db, SEPARATOR, ''), durations)
  return (select) => {
    const [listed, , others] = run(select)
    return { listed: listed ?? new Uint8Array(), others: others?.split('\n') ?? [] }
  }
}

/**
 * Runs selects with a limit and joins the first columns of their rows, and the others as JSON. The engine does so in
 * half the time of converting each row's text to the heap and back to bytes.
 */
function joinedRunner(db: DatabaseSync, separator: string, end: string): (select: Select) => JoinedRow {
  const prepared = preparer(db, (text) => {
    const columns = db.prepare(text).columns()
    const [line = '', ...others] = columns.map((_, at) => `column${at}`)
    return `WITH page (${[line, ...others].join(', ')}) AS (${text})
      SELECT CAST(group_concat(${line}, '${separator}') || '${end}' AS BLOB), count(*),
        group_concat(json_array(${others.join(', ')}), char(10))
      FROM page`
  })
  return ({ text, values }) => prepared(text).get(...(values as SQLInputValue[])) as unknown as JoinedRow
}

/** Nulls if there are no rows. */
type JoinedRow = [joined: Uint8Array | null, count: number, others: string | null]

/** Runs work synchronously in the caller's transaction. */
export function workRunner(db: DatabaseSync, durations?: Durations): <T>(work: Work<T>) => T {
  const prepared = preparer(db)
  const run = timed(({ statement: { text, givesPosition }, values }: BoundStatement): readonly Row[] => {
    const parameters = values.map(sqlite.toParameter) as SQLInputValue[]
    if (givesPosition) return [[Number(prepared(text).run(...parameters).lastInsertRowid)]]
    return prepared(text).all(...parameters) as unknown as Row[]
  }, durations)
  return (work) => {
    let next = work.next()
    while (!next.done) {
      next = work.next(next.value.map(run))
    }
    return next.value
  }
}

/** Converts a statement's values for the driver. */
export const encoded = ({ statement: { text }, values }: BoundStatement): Select => ({
  text,
  values: values.map(sqlite.toParameter),
})
