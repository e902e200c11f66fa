import type { DoneBy } from '../../../model/event.ts'
import { hasChanges, type ImportCounts } from '../../../model/imports/import-counts.ts'
import type { GivenRow } from '../../../model/imports/import-rows.ts'
import { resourceNamed } from '../../../model/resources.ts'
import type { Schema } from '../../../model/schema.ts'
import type {
  CheckedRows,
  ImportPart,
  ImportRun,
  ImportStage,
  ImportStep,
  ImportStore,
  ImportWork,
  NewImport,
  ReachedStep,
  StoredImport,
  UploadRun,
} from '../../port/import-store.ts'
import { StoreUnavailable } from '../../port/store.ts'
import { importRow } from '../../rows/event.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, type Methods, type Work } from '../work.ts'
import { importStatements } from './statements.ts'
import { decideAll, writeDecided } from './write-rows.ts'

/** All operations on uploads, by name. */
export type ImportWorks = ReturnType<typeof importWorks>

export function importWorks(dialect: SqlDialect, tables: TableStatements, schema: Schema) {
  const sql = importStatements(dialect)
  return {
    *add({ id, owner, resource, name, createdAt, endsAt }: NewImport, now: string): Work<void> {
      yield* trim(now)
      yield* removeAll(yield* ask(sql.SURPLUS, owner))
      yield* ask(sql.ADD, id, owner, resource, name, createdAt, endsAt)
    },

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

    *find(id: string, owner: string, now: string): Work<StoredImport | undefined> {
      const [row] = yield* ask(sql.FIND, id, owner, now)
      return row && storedImport(row)
    },

    *of(owner: string, now: string): Work<readonly StoredImport[]> {
      return (yield* ask(sql.OF, owner, now)).map(storedImport)
    },

    *match(id: string, matching: string, size: number, endsAt: string): Work<boolean> {
      const isMatched = (yield* ask(sql.MATCH, id, matching, size, endsAt)).length > 0
      if (isMatched) yield* ask(sql.FORGET_PIECES, id, 'rejected')
      return isMatched
    },

    *begin(id: string, work: ImportWork, { runner, lease }: ImportRun, endsAt: string): Work<boolean> {
      if (work === 'importing') {
        const isResumed = (yield* ask(sql.RESUME, id, runner, lease, endsAt)).length > 0
        if (isResumed) return true
      }
      const from: readonly ImportStage[] = work === 'checking' ? ['matching', 'checking', 'checked'] : ['checked']
      const hasBegun = (yield* ask(sql.BEGIN, id, work, runner, lease, endsAt, from)).length > 0
      if (hasBegun) yield* ask(sql.FORGET_PIECES, id, 'rejected')
      return hasBegun
    },

    advance,

    /** The rows are stored with the step or not at all. */
    *write(name: string, rows: readonly GivenRow[], step: ImportStep, atOnce: number): Work<ImportCounts | undefined> {
      const resource = resourceNamed(schema, name)
      const { decided, last } = yield* decideAll(dialect, tables, resource, rows)
      if (!(yield* advance(step, decided.counts))) return undefined
      yield* writeDecided(tables, resource, decided, last, atOnce)
      return decided.counts
    },

    *check(name: string, rows: readonly GivenRow[]): Work<CheckedRows> {
      const { decided } = yield* decideAll(dialect, { ...tables, lock: () => [] }, resourceNamed(schema, name), rows)
      return { counts: decided.counts, made: decided.made.map(({ id }) => id) }
    },

    *reached(id: string): Work<ReachedStep | undefined> {
      const [row] = yield* ask(sql.REACHED, id)
      return row && { upto: Number(row[0]), counts: countsIn(row.slice(1)) }
    },

    /**
     * Announces the counts that no event has announced yet, unless another run has replaced this one, and forgets the
     * record of the command line. Returns whether there was anything to announce.
     */
    *conclude({ id, runner }: UploadRun, by: DoneBy): Work<boolean> {
      const [row = []] = yield* ask(sql.UNTOLD, id, runner)
      const isTold = (yield* ask(sql.TELL, id, runner)).length > 0 && (yield* tellCounts(id, row, by))
      yield* ask(sql.FORGET_RECORD, id)
      // Those that were aborted before.
      yield* trim(new Date().toISOString())
      return isTold
    },

    *tidy(name: string): Work<void> {
      yield* askAll(tables.tidy(resourceNamed(schema, name)))
    },

    *end(id: string, runner: string, stage: ImportStage, fault: string | null): Work<void> {
      const hasEnded = (yield* ask(sql.END, id, runner, stage, fault)).length > 0
      if (hasEnded && stage === 'done') yield* ask(sql.FORGET_PIECES, id, 'file')
    },

    *remove(id: string, owner: string): Work<boolean> {
      const found = yield* ask(sql.REMOVABLE, id, owner)
      yield* removeAll(found)
      return found.length > 0
    },

    trim,
  }

  function* advance(step: ImportStep, { inserted, updated, unchanged }: ImportCounts): Work<boolean> {
    const { id, runner, lease, upto, position, rejected, records } = step
    const values = [id, runner, lease, upto, position, inserted, updated, unchanged, rejected]
    if ((yield* ask(sql.ADVANCE, ...values)).length > 0) return true
    if (records === undefined) return false
    // The first step, or one so late that the earlier ones have been announced.
    yield* ask(sql.RECORD, ...values, records, new Date().toISOString())
    return true
  }

  /** The rows of a run whose process died, and that nobody resumed, are announced before its record is removed. */
  function* trim(now: string): Work<void> {
    const ended = yield* ask(sql.ENDED, now)
    for (const [id, owner, ...counts] of ended) {
      yield* tellCounts(String(id), counts, { actor: String(owner).trim() === '' ? null : String(owner) })
    }
    yield* removeAll(ended)
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

export const importReads = ['piece', 'rejectedPieces', 'find', 'of', 'check', 'reached'] as const

export const importStore = (works: Methods<ImportWorks>): ImportStore => ({
  ...works,
  write: (resource, rows, step, atOnce) => works.write(resource.name, rows, step, atOnce),
  check: (resource, rows) => works.check(resource.name, rows),
  async conclude(resource, run, by) {
    const isTold = await works.conclude(run, by)
    if (!isTold) return
    await works.tidy(resource.name).catch((cause) => {
      if (!(cause instanceof StoreUnavailable)) throw cause
    })
  },
})

function storedImport(row: Row): StoredImport {
  const [id, owner, resource, name, createdAt, endsAt, size, stage, matching, upto, position] = row
  const [inserted, updated, unchanged, rejected, fault, isRunning] = row.slice(11)
  const text = (value: unknown): string | null => (value === null ? null : String(value))
  return {
    id: String(id),
    owner: String(owner),
    resource: String(resource),
    name: String(name),
    createdAt: String(createdAt),
    endsAt: String(endsAt),
    size: Number(size),
    stage: String(stage) as ImportStage,
    matching: text(matching),
    upto: Number(upto),
    position: Number(position),
    counts: countsIn([inserted, updated, unchanged]),
    rejected: Number(rejected),
    fault: text(fault),
    isRunning: Number(isRunning) === 1,
  }
}

const countsIn = ([inserted, updated, unchanged]: Row): ImportCounts => ({
  inserted: Number(inserted),
  updated: Number(updated),
  unchanged: Number(unchanged),
})
