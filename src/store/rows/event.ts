import { operationNamed } from '../../model/deal/operations.ts'
import type { DealEvent } from '../../model/event.ts'
import type { StoredEvent } from '../port/store.ts'
import { type RowDocument, rowDocument } from '../sql/row-document.ts'

/** An event with everything that its row has. */
export interface EventRow {
  readonly event: DealEvent
  readonly type: string
  readonly action: string
  readonly body: string
  readonly stored: StoredEvent
}

export function eventRow(event: DealEvent, dealJson: string): EventRow {
  const { deal, operation, at } = event
  const words = operationNamed(operation)?.words
  if (words === undefined) throw new Error(`there is no operation ${operation}`)
  const { event: type, action } = words
  const body = eventBody(event)
  const entry = entryJson(body, type, action, at)
  return { event, type, action, body, stored: { revision: deal.revision, operation, at, entry, deal: dealJson } }
}

/** What an event's row has besides its deal and its place in the feed. */
export const eventColumns = [
  'revision',
  'type',
  'operation',
  'action',
  'actor',
  'form',
  'command_id',
  'at',
  'body',
  'deal',
] as const

export function eventValues({ event, type, action, body, stored }: EventRow): readonly (string | number | null)[] {
  const { operation, actor, form, commandId, at } = event
  return [stored.revision, type, operation, action, actor, form, commandId, at, body, stored.deal]
}

/** Finds the event that made a deal's revision. */
export const findEvent = {
  name: 'event',
  text: 'SELECT revision, operation, type, action, at, body, deal FROM events WHERE deal_id = ?1 AND revision = ?2',
}

export function readEvent(row: readonly unknown[]): StoredEvent {
  const [revision, operation = '', type = '', action = '', at = '', body = '', deal = ''] = row.map(String)
  return { revision: Number(revision), operation, at, entry: entryJson(body, type, action, at), deal }
}

/**
 * What an entry of the history and an event have in common, as JSON members without braces:
 * a store keeps this text once and both documents are put together around it.
 */
export function eventBody({ operation, params, deal, actor, form, commandId }: DealEvent): string {
  const command = commandId === null ? '' : `,"commandId":${JSON.stringify(commandId)}`
  return `"operation":"${operation}","params":${JSON.stringify(params)},"revision":${deal.revision},"actor":${JSON.stringify(
    actor,
  )},"form":"${form}"${command}`
}

/** An entry of the history. */
export const entryDocument: RowDocument = rowDocument`{${'body'},"action":"${'action'}","type":"${'type'}","at":"${'at'}"}`

export const entryJson = (body: string, type: string, action: string, at: string): string =>
  entryDocument.write(body, action, type, at)

/** CloudEvents 1.0, JSON event format; `sequence` is the expression for the event's place in the feed. */
export const feedDocument = (sequence: string): RowDocument =>
  rowDocument`{"specversion":"1.0","id":"${sequence}","source":"/events","type":"${'type'}","subject":"${'deal_id'}","time":"${'at'}","sequence":"${sequence}","datacontenttype":"application/json","data":{${'body'},"deal":${'deal'}}}`
