import type { DoneBy } from '../../../model/declaration/event.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import type { ImportCounts } from '../../../model/nouns/imports/import-counts.ts'
import { keptUntil, type Upload } from '../../../model/nouns/imports/upload.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import type {
  CheckedRows,
  ImportPart,
  ImportRun,
  ImportStep,
  ImportStore,
  ImportWork,
  ReachedStep,
  RowsRead,
  UploadRun,
  WrittenRows,
} from '../../port/import-store.ts'
import { StoreUnavailable } from '../../port/store.ts'
import { uploadRows } from '../../rows/audited/upload.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, type Methods, type Work } from '../work.ts'
import { importStatements } from './statements.ts'
import { countsIn, trimUploads } from './trim-uploads.ts'
import { decideAll, recordChanges, writeDecided } from './write-rows.ts'

/** All operations on uploads, by name. */
export type ImportWorks = ReturnType<typeof importWorks>

export function importWorks(dialect: SqlDialect, tables: TableStatements, schema: Schema) {
  const sql = importStatements(dialect)
  const { hasEnded, trim, tellCounts, removeAll } = trimUploads(dialect, tables, schema)
  return {
    ...pieceWorks(sql),
    ...rowWorks(sql, dialect, tables, schema),

    *answers(owner: string, resource: string, headings: string): Work<readonly string[]> {
      return (yield* ask(sql.ANSWERS, owner, resource, headings)).map(([answers]) => String(answers))
    },

    *keepAnswers(owner: string, resource: string, headings: string, answers: string): Work<void> {
      yield* ask(sql.KEEP_ANSWERS, owner, resource, headings, answers, new Date().toISOString())
      yield* ask(sql.FORGET_ANSWERS, owner)
    },

    *discard(id: string): Work<void> {
      yield* removeAll([[id]])
    },

    *find(id: string): Work<Upload | undefined> {
      const [row] = yield* ask(sql.FIND, id)
      return row && uploadRows.read(row)
    },

    *begin(id: string, work: ImportWork, { runner, lease }: ImportRun, endsAt: string): Work<boolean> {
      if (work === 'importing') {
        const isResumed = (yield* ask(sql.RESUME, id, runner, lease, endsAt)).length > 0
        if (isResumed) return true
      }
      const from: readonly Upload['stage'][] = work === 'checking' ? ['checking', 'asking', 'ready'] : ['ready']
      const hasBegun = (yield* ask(sql.BEGIN, id, work, runner, lease, endsAt, from)).length > 0
      if (hasBegun) yield* ask(sql.FORGET_PIECES, id, 'rejected')
      return hasBegun
    },

    /**
     * Announces the counts that no event has announced yet, unless another run has replaced this one. Returns whether
     * there was anything to announce.
     */
    *conclude({ id, runner }: UploadRun, by: DoneBy): Work<boolean> {
      const [row = []] = yield* ask(sql.UNTOLD, id, runner)
      const isTold = (yield* ask(sql.TELL, id, runner)).length > 0 && (yield* tellCounts(id, row, by))
      // Those that were aborted before.
      yield* trim(new Date().toISOString())
      return isTold
    },

    *tidy(name: string): Work<void> {
      yield* askAll(tables.tidy(resourceNamed(schema, name)))
    },

    *findOut(id: string, runner: string, matching: string, found: string): Work<boolean> {
      return (yield* ask(sql.FIND_OUT, id, runner, matching, found)).length > 0
    },

    *end(id: string, runner: string, stage: Upload['stage'], fault: string | null): Work<void> {
      const hasEnded = (yield* ask(sql.END, id, runner, stage, fault)).length > 0
      if (hasEnded && stage === 'done') yield* ask(sql.FORGET_PIECES, id, 'file')
    },

    hasEnded,
    trim,
  }
}

type ImportStatements = ReturnType<typeof importStatements>

const pieceWorks = (sql: ImportStatements) => ({
  *putPiece(id: string, part: ImportPart, number: number, content: string): Work<void> {
    yield* ask(sql.PUT_PIECE, id, part, number, content)
  },

  *piece(id: string, part: ImportPart, number: number): Work<string | undefined> {
    const [row] = yield* ask(sql.PIECE, id, part, number)
    return row === undefined ? undefined : String(row[0])
  },

  *rejectedPieces(id: string): Work<readonly number[]> {
    return (yield* ask(sql.REJECTED_PIECES, id)).map(([number]) => Number(number))
  },
})

/** The rows of a file, wave by wave. */
function rowWorks(sql: ImportStatements, dialect: SqlDialect, tables: TableStatements, schema: Schema) {
  return {
    advance,

    /** The rows are stored with the step or not at all. */
    *write(name: string, { rows, reading }: RowsRead, step: ImportStep, atOnce: number): Work<WrittenRows | undefined> {
      const resource = resourceNamed(schema, name)
      const { decided, last } = yield* decideAll(dialect, tables, resource, rows, reading)
      const { counts, refused } = decided
      if (!(yield* advance({ ...step, rejected: step.rejected + refused.length }, counts))) return undefined
      yield* writeDecided(tables, resource, decided, last, atOnce)
      yield* recordChanges(tables, resource, decided, step.id, atOnce)
      return { counts, refused }
    },

    *check(name: string, { rows, reading }: RowsRead): Work<CheckedRows> {
      const { decided } = yield* decideAll(
        dialect,
        { ...tables, awaitLinks: () => [], lock: () => [] },
        resourceNamed(schema, name),
        rows,
        reading,
      )
      const { counts, refused, made } = decided
      return { counts, refused, made }
    },

    *reached(id: string): Work<ReachedStep | undefined> {
      const [row] = yield* ask(sql.REACHED, id)
      return row && { upto: Number(row[0]), counts: countsIn(row.slice(1)) }
    },
  }

  function* advance(step: ImportStep, { inserted, updated, unchanged }: ImportCounts): Work<boolean> {
    const { id, runner, lease, upto, position, rejected, records, found = null } = step
    const values = [id, runner, lease, upto, position, inserted, updated, unchanged, rejected]
    if ((yield* ask(sql.ADVANCE, ...values, found)).length > 0) return true
    if (records === undefined) return false
    // The first step, or one so late that others announced the earlier ones.
    const { resource, name, size } = records
    const now = new Date()
    if ((yield* ask(sql.RECLAIM, id, runner)).length > 0) return (yield* ask(sql.ADVANCE, ...values, found)).length > 0
    if ((yield* ask(sql.REACHED, id)).length > 0) return false
    yield* ask(sql.RECORD, ...values, resource, name, now.toISOString(), keptUntil(now.getTime()), size, found)
    return true
  }
}

export const importReads = ['piece', 'rejectedPieces', 'answers', 'find', 'check', 'reached', 'hasEnded'] as const

export const importStore = (works: Methods<ImportWorks>): ImportStore => {
  const tidy = (resource: Resource): Promise<void> =>
    works.tidy(resource.name).catch((cause) => {
      if (!(cause instanceof StoreUnavailable)) throw cause
    })
  return {
    ...works,
    tidy,
    write: (resource, rows, step, atOnce) => works.write(resource.name, rows, step, atOnce),
    check: (resource, rows) => works.check(resource.name, rows),
    async trim(now) {
      // Most of the time there is nothing to remove, and nothing to commit.
      if (await works.hasEnded(now)) await works.trim(now)
    },
    async conclude(resource, run, by) {
      const isTold = await works.conclude(run, by)
      if (isTold) await tidy(resource)
    },
  }
}
