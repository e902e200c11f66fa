import { uploadRows } from '../../rows/audited/upload.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { isLeft } from '../../sql/thing-events.ts'

/** The number of unfinished imports of one owner that are kept in addition to the new one: their files are large. */
const MOST_OTHERS = 9
/** The number of kinds of files for which the answers of one owner are kept. */
const MOST_ANSWERS = 500
/** Bounds how long a trim blocks others. */
const MOST_TRIMMED = 5000
/** The owner of the imports of the command line: no user has this name. */
const COMMAND_LINE = ' '

export function importStatements(dialect: SqlDialect) {
  const { now, fromNow } = dialect
  const isFree = `(claimed_until IS NULL OR claimed_until <= ${now})`
  // A check follows an upload, and each change of how the file is read.
  const mayBegin = `(${isFree} OR claimed_by = '')`
  const soon = `claimed_by = '', claimed_until = ${fromNow('10000')}`
  const columns = uploadRows.columns.join(', ')
  const afresh = `upto = 0, position = 0, inserted = 0, updated = 0, unchanged = 0, rejected = 0, fault = NULL,
    told_inserted = 0, told_updated = 0, told_unchanged = 0`
  const untold = 'inserted - told_inserted, updated - told_updated, unchanged - told_unchanged'
  return statementsIn(dialect, 'imports', {
    RECORD: `INSERT INTO imports (id, owner, resource, name, created_at, ends_at, size, stage, upto, position, inserted,
        updated, unchanged, rejected, claimed_by, claimed_until, found)
      VALUES (?1, '${COMMAND_LINE}', ?10, ?11, ?12, ?13, ?14, 'importing', ?4, ?5, ?6, ?7, ?8, ?9, ?2,
        ${fromNow('?3')}, ?15)`,
    REACHED: 'SELECT upto, inserted, updated, unchanged FROM imports WHERE id = ?1',
    LAST_EVENT: `SELECT max(revision) FROM events WHERE subject = ?1 AND ${isLeft(dialect)}`,
    ADD: `INSERT INTO imports (id, owner, resource, name, created_at, ends_at, size, stage, upto, position, inserted, updated,
        unchanged, rejected, claimed_by, claimed_until)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 'uploading', 0, 0, 0, 0, 0, 0, '', ${fromNow('60000')})`,
    // An active import stays: nobody may take it from its owner.
    SURPLUS: `SELECT id FROM imports WHERE owner = ?1 AND ${isFree} AND stage IN ('uploading', 'checking', 'asking', 'ready')
      AND id NOT IN (SELECT id FROM imports WHERE owner = ?1 AND stage IN ('uploading', 'checking', 'asking', 'ready')
        ORDER BY id DESC LIMIT ${MOST_OTHERS})`,
    ENDED: `SELECT id, owner, ${untold} FROM imports WHERE ends_at <= ?1 AND ${isFree}`,
    /** Those of the command line whose process died. */
    DEAD: `SELECT id, ${untold} FROM imports WHERE owner = '${COMMAND_LINE}' AND claimed_by IS NOT NULL AND ${isFree}`,
    RELEASE: `UPDATE imports SET told_inserted = inserted, told_updated = updated, told_unchanged = unchanged,
      claimed_by = NULL, claimed_until = NULL WHERE id = ?1`,
    RECLAIM: `UPDATE imports SET claimed_by = ?2 WHERE id = ?1 AND owner = '${COMMAND_LINE}' AND stage = 'importing'
      RETURNING id`,
    TRIM_CHANGES: `DELETE FROM import_changes WHERE import_id = ?1 AND (resource, subject) IN (
      SELECT resource, subject FROM import_changes WHERE import_id = ?1 LIMIT ${MOST_TRIMMED}) RETURNING 1`,
    REMOVE: 'DELETE FROM imports WHERE id = ?1',
    LEAVE: 'UPDATE imports SET ends_at = ?2 WHERE id = ?1',
    FIND: `SELECT ${columns} FROM listed_imports WHERE id = ?1`,
    LOCK: `SELECT id FROM imports WHERE id = ?1 ${dialect.lock}`,
    MATCH: `UPDATE imports SET matching = ?2, size = ?3, ends_at = ?4, found = ?5, stage = 'checking', ${soon}, ${afresh}
      WHERE id = ?1`,
    FIND_OUT: `UPDATE imports SET matching = ?3, found = ?4 WHERE id = ?1 AND claimed_by = ?2 RETURNING id`,
    RESUME: `UPDATE imports SET claimed_by = ?2, claimed_until = ${fromNow('?3')}, ends_at = ?4, fault = NULL
      WHERE id = ?1 AND ${isFree} AND stage = 'importing' AND matching IS NOT NULL RETURNING id`,
    BEGIN: `UPDATE imports SET stage = ?2, claimed_by = ?3, claimed_until = ${fromNow('?4')}, ends_at = ?5, ${afresh}
      WHERE id = ?1 AND ${mayBegin} AND ${dialect.among('stage', '?6')} RETURNING id`,
    ADVANCE: `UPDATE imports SET claimed_until = ${fromNow('?3')}, upto = ?4, position = ?5, inserted = inserted + ?6,
        updated = updated + ?7, unchanged = unchanged + ?8, rejected = rejected + ?9, found = coalesce(?10, found)
      WHERE id = ?1 AND claimed_by = ?2 RETURNING id`,
    UNTOLD: `SELECT ${untold} FROM imports WHERE id = ?1 AND claimed_by = ?2`,
    TELL: `UPDATE imports SET told_inserted = inserted, told_updated = updated, told_unchanged = unchanged
      WHERE id = ?1 AND claimed_by = ?2 RETURNING id`,
    END: `UPDATE imports SET stage = ?3, fault = ?4, claimed_by = NULL, claimed_until = NULL
      WHERE id = ?1 AND claimed_by = ?2 RETURNING id`,
    UNDONE: `UPDATE imports SET stage = 'undone', claimed_by = NULL, claimed_until = NULL WHERE id = ?1`,
    PUT_PIECE: `INSERT INTO import_pieces (import_id, part, number, content) VALUES (?1, ?2, ?3, ?4)
      ON CONFLICT (import_id, part, number) DO UPDATE SET content = excluded.content`,
    PIECE: 'SELECT content FROM import_pieces WHERE import_id = ?1 AND part = ?2 AND number = ?3',
    REJECTED_PIECES: `SELECT number FROM import_pieces WHERE import_id = ?1 AND part = 'rejected' ORDER BY number`,
    FORGET_PIECES: 'DELETE FROM import_pieces WHERE import_id = ?1 AND part = ?2',
    ANSWERS: `SELECT answers FROM import_answers WHERE resource = ?2 AND headings = ?3 AND owner IN ('', ?1) ORDER BY owner`,
    KEEP_ANSWERS: `INSERT INTO import_answers (owner, resource, headings, answers, updated_at) VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (owner, resource, headings) DO UPDATE SET answers = excluded.answers, updated_at = excluded.updated_at`,
    FORGET_ANSWERS: `DELETE FROM import_answers WHERE owner = ?1 AND (resource, headings) NOT IN (
      SELECT resource, headings FROM import_answers WHERE owner = ?1 ORDER BY updated_at DESC LIMIT ${MOST_ANSWERS})`,
    FORGET_ALL_PIECES: 'DELETE FROM import_pieces WHERE import_id = ?1',
  })
}
