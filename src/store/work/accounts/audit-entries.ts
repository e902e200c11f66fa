import { randomFillSync } from 'node:crypto'
import type { AuditEntry, AuditEvent, Author } from '../../../model/user/audit.ts'
import { uuidV7 } from '../../../values/kinds/uuid.ts'
import { auditColumns, auditValues } from '../../rows/account.ts'
import { type SqlDialect, statementsIn } from '../../sql/dialect.ts'
import { ask, type Work } from '../work.ts'

/** What an entry is about. */
export type AuditAbout = Partial<Pick<AuditEntry, 'user' | 'key' | 'detail'>>

/** Writes an entry of the audit in the transaction of what it tells. */
export type WriteAudit = (event: AuditEvent, about: AuditAbout, by: Author) => Work<void>

export function auditWriter(dialect: SqlDialect): WriteAudit {
  const { INSERT } = statementsIn(dialect, 'audit', {
    INSERT: `INSERT INTO audit (${auditColumns.join(', ')}) VALUES (${auditColumns.map((_, at) => `?${at + 1}`).join(', ')})`,
  })
  const newId = orderedIds()
  return function* (event, { user = null, key = null, detail = null }, { actor, address }) {
    const now = Date.now()
    const id = newId(now)
    const entry = { id, at: new Date(now).toISOString(), event, actor, user, key, address, detail }
    yield* ask(INSERT, ...auditValues(entry))
  }
}

/** RFC 9562 §6.2, method 1: the entries of one millisecond are counted, so that they stay in order. */
function orderedIds(): (now: number) => string {
  const random = new Uint8Array(10)
  let last = 0
  let count = 0
  return (now) => {
    count = now === last ? count + 1 : 0
    last = now
    randomFillSync(random)
    random[0] = count >> 4
    random[1] = ((count & 15) << 4) | ((random[1] ?? 0) & 15)
    return uuidV7(now, random)
  }
}
