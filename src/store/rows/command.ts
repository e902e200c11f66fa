import type { Params } from '../../model/operation.ts'
import type { Command } from '../../model/perform/intent.ts'
import type { StateRefusal, WrongState } from '../../model/refusal.ts'
import { resourceNamed } from '../../model/resources.ts'
import { orNull, type RowDocument, rowDocument } from '../sql/row-document.ts'
import { isNumbered } from './things.ts'

/** A command as it is kept. */
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
  'private_to',
] as const

export function commandValues(command: Command): readonly (string | number | null)[] {
  const { id, resource, subject, action, params, status, refusal, revision, decidedAt, privateTo } = command
  const why = refusal === null ? null : JSON.stringify(refusal)
  return [id, resource, String(subject), action, JSON.stringify(params), status, why, revision, decidedAt, privateTo]
}

export function readCommand(row: readonly unknown[]): Command {
  const [id, resource, subject, action, params, status, refusal, revision, decidedAt, privateTo] = row
  return {
    id: String(id),
    resource: String(resource),
    subject: keyFrom(String(resource), String(subject)),
    action: String(action),
    params: JSON.parse(String(params)) as Params,
    status: status === 'applied' ? 'applied' : 'rejected',
    refusal: refusal === null ? null : readRefusal(String(refusal)),
    revision: Number(revision),
    decidedAt: String(decidedAt),
    privateTo: privateTo === null ? null : String(privateTo),
  }
}

/** Ids are kept as texts where things of all resources stand beside each other. */
const keyFrom = (resource: string, subject: string): string | number =>
  isNumbered(resourceNamed(resource)) ? Number(subject) : subject

/** The first release kept the deal of a refusal under its own name. */
export function readRefusal(text: string): StateRefusal {
  const kept = JSON.parse(text) as
    | StateRefusal
    | (Omit<WrongState, 'resource' | 'thing'> & { deal: WrongState['thing'] })
  if (!('deal' in kept)) return kept
  const { deal, ...rest } = kept
  return { ...rest, resource: 'deal', thing: deal }
}

export const findCommand = {
  name: 'command',
  text: `SELECT ${commandColumns.join(', ')} FROM commands WHERE id = ?1`,
}

/** What a command left behind, where no event tells it. */
export const findCommandDoc = { name: 'command-doc', text: 'SELECT doc FROM commands WHERE id = ?1' }

export const commandDocument: RowDocument = rowDocument`{"id":"${'id'}","resource":"${'resource'}","subject":"${'subject'}","action":"${'action'}","params":${'params'},"status":"${'status'}","revision":${'revision'},"decidedAt":"${'decided_at'}","refusal":${orNull('refusal')}}`
