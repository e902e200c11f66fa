import type { Params } from '../../model/operation.ts'
import type { Command } from '../../model/perform.ts'
import type { WrongState } from '../../model/refusal.ts'
import { orNull, type RowDocument, rowDocument } from '../sql/row-document.ts'

export const commandColumns = [
  'id',
  'deal_id',
  'action',
  'params',
  'status',
  'refusal',
  'revision',
  'decided_at',
] as const

export function commandValues(command: Command): readonly (string | number | null)[] {
  const { id, deal, action, params, status, refusal, revision, decidedAt } = command
  const why = refusal === null ? null : JSON.stringify(refusal)
  return [id, deal, action, JSON.stringify(params), status, why, revision, decidedAt]
}

export function readCommand(row: readonly unknown[]): Command {
  const [id, deal, action, params, status, refusal, revision, decidedAt] = row
  return {
    id: String(id),
    deal: String(deal),
    action: String(action),
    params: JSON.parse(String(params)) as Params,
    status: status === 'applied' ? 'applied' : 'rejected',
    refusal: refusal === null ? null : (JSON.parse(String(refusal)) as WrongState),
    revision: Number(revision),
    decidedAt: String(decidedAt),
  }
}

export const findCommand = {
  name: 'command',
  text: `SELECT ${commandColumns.join(', ')} FROM commands WHERE id = ?1`,
}

export const commandDocument: RowDocument = rowDocument`{"id":"${'id'}","deal":"${'deal_id'}","action":"${'action'}","params":${'params'},"status":"${'status'}","revision":${'revision'},"decidedAt":"${'decided_at'}","refusal":${orNull('refusal')}}`
