import type { DatabaseSync } from 'node:sqlite'
import { operationNamed } from '../../model/deal/operations.ts'
import type { DealEvent } from '../../model/event.ts'
import type { StoredEvent } from '../port/store.ts'
import { entryJson, eventBody } from '../rows/event-body.ts'

export interface EventRows {
  insert(event: DealEvent, dealJson: string): StoredEvent
  /** What `insert` would answer, without writing. */
  preview(event: DealEvent, dealJson: string): StoredEvent
  find(deal: string, revision: number): StoredEvent | undefined
}

export function eventRows(db: DatabaseSync): EventRows {
  const insert = db.prepare(
    `INSERT INTO events (deal_id, revision, type, operation, action, actor, form, command_id, at, body, deal)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const select = db.prepare(
    'SELECT revision, operation, type, action, at, body, deal FROM events WHERE deal_id = ? AND revision = ?',
  )
  return {
    insert(event, dealJson) {
      const { deal, operation, actor, form, commandId, at } = event
      const { event: type, action } = wordsOf(operation)
      const body = eventBody(event)
      insert.run(deal.id, deal.revision, type, operation, action, actor, form, commandId, at, body, dealJson)
      return { revision: deal.revision, operation, at, entry: entryJson(body, type, action, at), deal: dealJson }
    },
    preview(event, dealJson) {
      const { deal, operation, at } = event
      const { event: type, action } = wordsOf(operation)
      return {
        revision: deal.revision,
        operation,
        at,
        entry: entryJson(eventBody(event), type, action, at),
        deal: dealJson,
      }
    },
    find(deal, revision) {
      const row = select.get(deal, revision)
      if (row === undefined) return undefined
      const entry = entryJson(String(row.body), String(row.type), String(row.action), String(row.at))
      return { revision, operation: String(row.operation), at: String(row.at), entry, deal: String(row.deal) }
    },
  }
}

function wordsOf(operation: string) {
  const words = operationNamed(operation)?.words
  if (words === undefined) throw new Error(`there is no operation ${operation}`)
  return words
}
