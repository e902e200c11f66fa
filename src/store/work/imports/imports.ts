import { hasChanges, type ImportCounts } from '../../../model/customer/imported.ts'
import type { DoneBy } from '../../../model/event.ts'
import type {
  ImportPart,
  ImportRun,
  ImportStage,
  ImportStep,
  ImportStore,
  ImportWork,
  NewImport,
  StoredImport,
  UploadRun,
} from '../../port/import-store.ts'
import { importRow } from '../../rows/event.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import type { Row } from '../../sql/statement.ts'
import type { TableStatements } from '../table-statements.ts'
import { ask, askAll, type RunWork, type Work } from '../work.ts'

/** Uploads of one owner that are kept beside the new one. */
const MOST_OTHERS = 4

/** Milliseconds without a step after which an import of the command line is taken for dead. */
const COMMAND_LEASE = 60_000

/** Said where a run was taken for dead and another one goes on in its place. */
export const SUPERSEDED = 'another run of the import goes on in its place'

/** Everything that is done to uploads, by name. */
export type ImportWorks = ReturnType<typeof importWorks>

export function importWorks(dialect: SqlDialect, append: TableStatements['append']) {
  const sql = statements(dialect)
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

    *advance(step: ImportStep, { inserted, updated, unchanged }: ImportCounts): Work<boolean> {
      const { id, runner, lease, upto, position, rejected } = step
      const values = [id, runner, lease, upto, position, inserted, updated, unchanged, rejected]
      return (yield* ask(sql.ADVANCE, ...values)).length > 0
    },

    /** Keeps what the command line has imported, in the transaction that does, so that its event can be told by others. */
    *record({ id, runner }: UploadRun, upto: number, { inserted, updated, unchanged }: ImportCounts): Work<void> {
      const now = new Date().toISOString()
      yield* ask(sql.RECORD, id, now, upto, inserted, updated, unchanged, runner, COMMAND_LEASE)
    },

    /** The last step that a run has kept. */
    *upto({ id }: Pick<UploadRun, 'id'>): Work<number> {
      return Number((yield* ask(sql.UPTO, id))[0]?.[0] ?? 0)
    },

    /** Tells the counts that no event has told yet, unless the run is no longer the one that counts. */
    *tell({ id, runner }: UploadRun, by: DoneBy): Work<void> {
      const [row = []] = yield* ask(sql.UNTOLD, id, runner)
      const isTold = (yield* ask(sql.TELL, id, runner)).length > 0
      if (isTold) yield* tellCounts(id, row, by)
    },

    /** Ends what the command line has recorded, when it was told. */
    *forget({ id }: Pick<UploadRun, 'id'>): Work<void> {
      yield* ask(sql.REMOVE, id)
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

  /** What a run has imported whose process died, and nobody went on with, is told before it is forgotten. */
  function* trim(now: string): Work<void> {
    const ended = yield* ask(sql.ENDED, now)
    for (const [id, owner, ...counts] of ended) {
      yield* tellCounts(String(id), counts, { actor: String(owner).trim() === '' ? null : String(owner) })
    }
    yield* removeAll(ended)
  }

  /** An import that is told in parts has an event for each. */
  function* tellCounts(id: string, [inserted, updated, unchanged]: Row, by: DoneBy): Work<void> {
    const counts = { inserted: Number(inserted), updated: Number(updated), unchanged: Number(unchanged) }
    if (!hasChanges(counts)) return
    const [[last] = []] = yield* ask(sql.LAST_EVENT, id)
    yield* askAll(append([importRow(counts, id, Number(last ?? 0) + 1, new Date().toISOString(), by)]))
  }

  function* removeAll(rows: readonly Row[]): Work<void> {
    for (const [id] of rows) {
      yield* ask(sql.FORGET_ALL_PIECES, id)
      yield* ask(sql.REMOVE, id)
    }
  }
}

export const importStore = (read: RunWork<ImportWorks>, write: RunWork<ImportWorks>): ImportStore => ({
  add: (upload, now) => write('add', upload, now),
  putPiece: (id, part, number, content) => write('putPiece', id, part, number, content),
  piece: (id, part, number) => read('piece', id, part, number),
  rejectedPieces: (id) => read('rejectedPieces', id),
  find: (id, owner, now) => read('find', id, owner, now),
  of: (owner, now) => read('of', owner, now),
  match: (id, matching, size, endsAt) => write('match', id, matching, size, endsAt),
  begin: (id, work, run, endsAt) => write('begin', id, work, run, endsAt),
  advance: (step, counts) => write('advance', step, counts),
  end: (id, runner, stage, fault) => write('end', id, runner, stage, fault),
  remove: (id, owner) => write('remove', id, owner),
  trim: (now) => write('trim', now),
})

function statements(dialect: SqlDialect) {
  const { now, fromNow } = dialect
  const isFree = `(claimed_until IS NULL OR claimed_until <= ${now})`
  const columns = `id, owner, resource, name, created_at, ends_at, size, stage, matching, upto, position,
    inserted, updated, unchanged, rejected, fault, CASE WHEN ${isFree} THEN 0 ELSE 1 END`
  const afresh = `upto = 0, position = 0, inserted = 0, updated = 0, unchanged = 0, rejected = 0, fault = NULL,
    told_inserted = 0, told_updated = 0, told_unchanged = 0`
  const untold = 'inserted - told_inserted, updated - told_updated, unchanged - told_unchanged'
  return statementsIn(dialect, 'imports', {
    // Its owner is nobody's name.
    RECORD: `INSERT INTO imports (id, owner, resource, name, created_at, ends_at, size, stage, upto, position, inserted,
        updated, unchanged, rejected, claimed_by, claimed_until)
      VALUES (?1, ' ', 'customers', '', ?2, ?2, 0, 'importing', ?3, 0, ?4, ?5, ?6, 0, ?7, ${fromNow('?8')})
      ON CONFLICT (id) DO UPDATE SET upto = excluded.upto, inserted = imports.inserted + excluded.inserted,
        updated = imports.updated + excluded.updated, unchanged = imports.unchanged + excluded.unchanged,
        claimed_until = excluded.claimed_until`,
    UPTO: 'SELECT upto FROM imports WHERE id = ?1',
    LAST_EVENT: 'SELECT max(revision) FROM events WHERE subject = ?1',
    ADD: `INSERT INTO imports (id, owner, resource, name, created_at, ends_at, size, stage, upto, position, inserted, updated,
        unchanged, rejected)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 'uploading', 0, 0, 0, 0, 0, 0)`,
    // What is imported stays: nobody can take it from whoever imports it.
    SURPLUS: `SELECT id FROM imports WHERE owner = ?1 AND ${isFree} AND id NOT IN (
      SELECT id FROM imports WHERE owner = ?1 ORDER BY id DESC LIMIT ${MOST_OTHERS})`,
    ENDED: `SELECT id, owner, ${untold} FROM imports WHERE ends_at <= ?1 AND ${isFree}`,
    REMOVABLE: `SELECT id FROM imports WHERE id = ?1 AND owner = ?2 AND ${isFree}`,
    REMOVE: 'DELETE FROM imports WHERE id = ?1',
    FIND: `SELECT ${columns} FROM imports WHERE id = ?1 AND owner = ?2 AND ends_at > ?3`,
    OF: `SELECT ${columns} FROM imports WHERE owner = ?1 AND ends_at > ?2 AND stage <> 'uploading' ORDER BY id DESC`,
    MATCH: `UPDATE imports SET matching = ?2, size = ?3, ends_at = ?4, stage = 'matching', ${afresh}
      WHERE id = ?1 AND ${isFree} AND stage IN ('uploading', 'matching', 'checking', 'checked') RETURNING id`,
    RESUME: `UPDATE imports SET claimed_by = ?2, claimed_until = ${fromNow('?3')}, ends_at = ?4, fault = NULL
      WHERE id = ?1 AND ${isFree} AND stage = 'importing' RETURNING id`,
    BEGIN: `UPDATE imports SET stage = ?2, claimed_by = ?3, claimed_until = ${fromNow('?4')}, ends_at = ?5, ${afresh}
      WHERE id = ?1 AND ${isFree} AND ${dialect.among('stage', '?6')} RETURNING id`,
    ADVANCE: `UPDATE imports SET claimed_until = ${fromNow('?3')}, upto = ?4, position = ?5, inserted = inserted + ?6,
        updated = updated + ?7, unchanged = unchanged + ?8, rejected = rejected + ?9
      WHERE id = ?1 AND claimed_by = ?2 RETURNING id`,
    UNTOLD: `SELECT ${untold} FROM imports WHERE id = ?1 AND claimed_by = ?2`,
    TELL: `UPDATE imports SET told_inserted = inserted, told_updated = updated, told_unchanged = unchanged
      WHERE id = ?1 AND claimed_by = ?2 RETURNING id`,
    END: `UPDATE imports SET stage = ?3, fault = ?4, claimed_by = NULL, claimed_until = NULL
      WHERE id = ?1 AND claimed_by = ?2 RETURNING id`,
    PUT_PIECE: `INSERT INTO import_pieces (import_id, part, number, content) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (import_id, part, number) DO UPDATE SET content = excluded.content`,
    PIECE: 'SELECT content FROM import_pieces WHERE import_id = ?1 AND part = ?2 AND number = ?3',
    REJECTED_PIECES: `SELECT number FROM import_pieces WHERE import_id = ?1 AND part = 'rejected' ORDER BY number`,
    FORGET_PIECES: 'DELETE FROM import_pieces WHERE import_id = ?1 AND part = ?2',
    FORGET_ALL_PIECES: 'DELETE FROM import_pieces WHERE import_id = ?1',
  })
}

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
    counts: { inserted: Number(inserted), updated: Number(updated), unchanged: Number(unchanged) },
    rejected: Number(rejected),
    fault: text(fault),
    isRunning: Number(isRunning) === 1,
  }
}
