import type { AuditNote, Author } from '../../../model/declaration/audit-note.ts'
import { orderedIds } from '../../port/ordered-ids.ts'
import { auditRows } from '../../rows/audited/account.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'

/** Writes an entry of the audit in the transaction of its change. */
export type WriteAudit = (event: string, about: AuditNote, by: Author) => Work<void>

/** One sequence for every writer: entries of the same millisecond keep the order in which they were written. */
const newId = orderedIds()

export function auditWriter(dialect: SqlDialect): WriteAudit {
  const { INSERT } = statementsIn(dialect, 'audit', {
    INSERT: `INSERT INTO audit (${auditRows.columns.join(', ')}) VALUES (${auditRows.columns.map((_, at) => `?${at + 1}`).join(', ')})`,
  })
  return function* (event, { user = null, key = null, detail = null }, { actor, key: actorKey = null, address }) {
    const now = Date.now()
    const id = newId(now)
    const entry = { id, at: new Date(now).toISOString(), event, actor, actorKey, user, key, address, detail }
    yield* ask(INSERT, ...auditRows.values(entry))
  }
}
