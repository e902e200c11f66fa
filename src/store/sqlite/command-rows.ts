import type { DatabaseSync } from 'node:sqlite'
import type { Params } from '../../model/operation.ts'
import type { Command } from '../../model/perform.ts'
import type { WrongState } from '../../model/refusal.ts'

export interface CommandRows {
  find(id: string): Command | undefined
  insert(command: Command): void
}

export function commandRows(db: DatabaseSync): CommandRows {
  const select = db.prepare(
    'SELECT id, deal_id, action, params, status, refusal, revision, decided_at FROM commands WHERE id = ?',
  )
  const insert = db.prepare(
    `INSERT INTO commands (id, deal_id, action, params, status, refusal, revision, decided_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return {
    find(id) {
      const row = select.get(id)
      if (row === undefined) return undefined
      return {
        id,
        deal: String(row.deal_id),
        action: String(row.action),
        params: JSON.parse(String(row.params)) as Params,
        status: row.status === 'applied' ? 'applied' : 'rejected',
        refusal: row.refusal === null ? null : (JSON.parse(String(row.refusal)) as WrongState),
        revision: Number(row.revision),
        decidedAt: String(row.decided_at),
      }
    },
    insert({ id, deal, action, params, status, refusal, revision, decidedAt }) {
      const why = refusal === null ? null : JSON.stringify(refusal)
      insert.run(id, deal, action, JSON.stringify(params), status, why, revision, decidedAt)
    },
  }
}
