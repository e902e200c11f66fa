import type { Params } from '../../model/operation.ts'
import type { Command } from '../../model/perform.ts'
import type { WrongState } from '../../model/refusal.ts'
import type { Row } from './connection.ts'

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

export function readCommand([id, deal, action, params, status, refusal, revision, decidedAt]: Row): Command {
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

export function commandValues({ id, deal, action, params, status, refusal, revision, decidedAt }: Command): Row {
  const why = refusal === null ? null : JSON.stringify(refusal)
  return [id, deal, action, JSON.stringify(params), status, why, revision, decidedAt]
}
