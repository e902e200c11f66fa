import type { Params } from '../../model/declaration/operation.ts'
import type { InUse, StageRequires, StateRefusal, WrongState } from '../../model/declaration/refusal.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import type { Command } from '../../model/intent/intent.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import type { Reason } from '../../values/faults/fault.ts'
import { KEPT } from '../../values/faults/fault-codes.ts'
import { parseExact } from '../../values/json/exact-numbers.ts'
import { orNull, type RowDocument, rowDocument } from '../sql/row-document.ts'
import { isNumbered } from './things.ts'

/** The columns of a command. */
export const commandColumns = [
  'id',
  'resource',
  'subject',
  'action',
  'params',
  'status',
  'refusal',
  'revision',
  'decided_at',
  'named',
  'private_to',
  'sent_as',
] as const

export function commandValues(command: Command): readonly (string | number | null)[] {
  const { id, resource, subject, action, params, status, refusal, revision, decidedAt, named, privateTo, sentAs } =
    command
  const why = refusal === null ? null : JSON.stringify(refusal)
  const name = named === null ? null : JSON.stringify(named)
  return [
    ...[id, resource, String(subject), action, JSON.stringify(params), status, why, revision, decidedAt, name],
    privateTo,
    sentAs,
  ]
}

export function readCommand(row: readonly unknown[], schema: Schema): Command {
  const [id, resource, subject, action, params, status, refusal, revision, decidedAt, named, privateTo, sentAs] = row
  return {
    id: String(id),
    resource: String(resource),
    subject: keyFrom(resourceNamed(schema, String(resource)), String(subject)),
    action: String(action),
    params: parseExact(String(params)) as Params,
    status: status === 'applied' ? 'applied' : 'rejected',
    refusal: refusal === null ? null : readRefusal(String(refusal)),
    revision: Number(revision),
    decidedAt: String(decidedAt),
    named: named === null ? null : (parseExact(String(named)) as Command['named']),
    privateTo: privateTo === null ? null : String(privateTo),
    sentAs: sentAs === null ? null : String(sentAs),
  }
}

/** Ids are stored as texts in tables for all resources. */
const keyFrom = (resource: Resource, subject: string): Key => (isNumbered(resource) ? Number(subject) : subject)

/** Earlier releases stored a sentence as the reason, and the first one the deal under its own name. */
export function readRefusal(text: string): StateRefusal {
  const kept = parseExact(text) as InUse | StageRequires | KeptState
  if (kept.code === 'in-use' || kept.code === 'stage-requires') return kept
  const { deal, reason, ...rest } = kept
  const why: Reason = typeof reason === 'string' ? { code: KEPT, with: { text: reason } } : reason
  return { ...rest, ...(deal && { resource: 'deal', thing: deal }), reason: why }
}

interface KeptState extends Omit<WrongState, 'reason'> {
  readonly reason: Reason | string
  readonly deal?: WrongState['thing']
}

export const findCommand = {
  name: 'command',
  text: `SELECT ${commandColumns.join(', ')} FROM commands WHERE id = ?1`,
}

/** The result of a command that no event records. */
export const findCommandDoc = { name: 'command-doc', text: 'SELECT doc FROM commands WHERE id = ?1' }

export const commandDocument: RowDocument = rowDocument`{"id":"${'id'}","resource":"${'resource'}","subject":"${'subject'}","action":"${'action'}","params":${'params'},"status":"${'status'}","revision":${'revision'},"decidedAt":"${'decided_at'}","refusal":${orNull('refusal')}}`
