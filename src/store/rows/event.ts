import { type ImportCounts, imported } from '../../model/customer/imported.ts'
import type { DomainEvent } from '../../model/event.ts'
import { privateTo } from '../../model/perform/privacy.ts'
import type { StoredEvent } from '../port/store.ts'
import { type RowDocument, rowDocument } from '../sql/row-document.ts'

/** An event with everything that its row has. */
export interface EventRow {
  readonly event: DomainEvent
  readonly body: string
  readonly stored: StoredEvent
}

/** `doc` is the thing that the event left behind. */
export function eventRow(event: DomainEvent, doc: string): EventRow {
  const { operation, thing, at } = event
  const { event: type, action } = operation.words
  const body = eventBody(event)
  const entry = entryJson(body, type, action, at)
  return { event, body, stored: { revision: thing.revision, operation: operation.name, at, entry, doc } }
}

/** What an import leaves behind: its counts, under an id of its own. */
export function importRow(
  { inserted, updated, unchanged }: ImportCounts,
  id: string,
  at: string,
  actor: string | null,
): EventRow {
  const params = { inserted, updated, unchanged }
  const thing = { id, createdAt: at, updatedAt: at, revision: 1 }
  const event = { operation: imported, params, thing, at, actor, form: imported.name, commandId: null }
  return eventRow(event, JSON.stringify(params))
}

/** What an event's row has besides its place in the feed. */
export const eventColumns = [
  'resource',
  'subject',
  'revision',
  'type',
  'operation',
  'action',
  'actor',
  'form',
  'command_id',
  'at',
  'body',
  'doc',
  'private_to',
] as const

export function eventValues({ event, body, stored }: EventRow): readonly (string | number | null)[] {
  const { operation, thing, actor, form, commandId, at } = event
  const { event: type, action } = operation.words
  const { revision, doc } = stored
  return [
    ...[operation.on.name, String(thing.id), revision, type, operation.name, action],
    ...[actor, form, commandId, at, body, doc, privateTo(operation.on, thing)],
  ]
}

/** Finds the event that made a thing's revision. */
export const findEvent = {
  name: 'event',
  text: 'SELECT revision, operation, type, action, at, body, doc FROM events WHERE subject = ?1 AND revision = ?2',
}

export function readEvent(row: readonly unknown[]): StoredEvent {
  const [revision, operation = '', type = '', action = '', at = '', body = '', doc = ''] = row.map(String)
  return { revision: Number(revision), operation, at, entry: entryJson(body, type, action, at), doc }
}

/**
 * What an entry of the history and an event have in common, as JSON members without braces:
 * a store keeps this text once and both documents are put together around it.
 */
export function eventBody({ operation, params, thing, actor, form, commandId }: DomainEvent): string {
  const command = commandId === null ? '' : `,"commandId":${JSON.stringify(commandId)}`
  return `"operation":"${operation.name}","params":${JSON.stringify(params)},"revision":${thing.revision},"actor":${JSON.stringify(
    actor,
  )},"form":"${form}"${command}`
}

/** An entry of the history. */
export const entryDocument: RowDocument = rowDocument`{${'body'},"action":"${'action'}","type":"${'type'}","at":"${'at'}"}`

export const entryJson = (body: string, type: string, action: string, at: string): string =>
  entryDocument.write(body, action, type, at)

/** CloudEvents 1.0, JSON event format; `sequence` is the expression for the event's place in the feed. */
export const feedDocument = (sequence: string): RowDocument =>
  rowDocument`{"specversion":"1.0","id":"${sequence}","source":"/events","type":"${'type'}","subject":"${'subject'}","time":"${'at'}","sequence":"${sequence}","datacontenttype":"application/json","data":{${'body'},"${'resource'}":${'doc'}}}`
