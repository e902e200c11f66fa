import type { DoneBy } from '../../../model/declaration/event.ts'
import type { Schema } from '../../../model/declaration/schema.ts'
import { hasChanges, type ImportCounts } from '../../../model/nouns/imports/import-counts.ts'
import { importRow } from '../../rows/event.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, bind, type Work } from '../work.ts'
import { importStatements } from './statements.ts'

/** Removes uploads, and announces their results if nobody else does. */
export function trimUploads(dialect: SqlDialect, tables: TableStatements, schema: Schema) {
  const sql = importStatements(dialect)
  return { hasEnded, trim, tellCounts, removeAll }

  /** Whether there is anything to trim. */
  function* hasEnded(now: string): Work<boolean> {
    const found = yield* askAll([bind(sql.ENDED, now), bind(sql.DEAD)])
    return found.some((rows) => rows.length > 0)
  }

  /** The rows of a run whose process died, and that nobody resumed, are announced before its record is removed. */
  function* trim(now: string): Work<void> {
    const ended = yield* ask(sql.ENDED, now)
    for (const [id, owner, ...counts] of ended) {
      yield* tellCounts(String(id), counts, { actor: String(owner).trim() === '' ? null : String(owner) })
    }
    // The effects of an import are removed a few thousand at a time, and the import with the last of them.
    for (const [id] of ended) {
      const trimmed = yield* ask(sql.TRIM_CHANGES, id)
      if (trimmed.length === 0) yield* removeAll([[id]])
      else yield* ask(sql.RELEASE, id)
    }
    for (const [id, ...counts] of yield* ask(sql.DEAD)) {
      yield* tellCounts(String(id), counts, { actor: null })
      yield* ask(sql.RELEASE, id)
    }
  }

  /** An import that is announced in parts has an event for each. */
  function* tellCounts(id: string, row: Row, by: DoneBy): Work<boolean> {
    const counts = countsIn(row)
    if (!hasChanges(counts)) return false
    const [[last] = []] = yield* ask(sql.LAST_EVENT, id)
    yield* askAll(tables.append([importRow(schema, counts, id, Number(last ?? 0) + 1, new Date().toISOString(), by)]))
    return true
  }

  function* removeAll(rows: readonly Row[]): Work<void> {
    for (const [id] of rows) {
      yield* ask(sql.FORGET_ALL_PIECES, id)
      yield* ask(sql.REMOVE, id)
    }
  }
}

export const countsIn = ([inserted, updated, unchanged]: Row): ImportCounts => ({
  inserted: Number(inserted),
  updated: Number(updated),
  unchanged: Number(unchanged),
})
