import type { DatabaseSync } from 'node:sqlite'
import type { StoredEvent } from '../port/store.ts'
import { type EventRow, eventColumns, eventValues, findEvent, readEvent } from '../rows/event.ts'

export interface EventRows {
  insert(row: EventRow): void
  find(deal: string, revision: number): StoredEvent | undefined
}

export function eventRows(db: DatabaseSync): EventRows {
  const insert = db.prepare(
    `INSERT INTO events (deal_id, ${eventColumns.join(', ')}) VALUES (?, ${eventColumns.map(() => '?').join(', ')})`,
  )
  const select = db.prepare(findEvent.text)
  select.setReturnArrays(true)
  return {
    insert(row) {
      insert.run(row.event.deal.id, ...eventValues(row))
    },
    find(deal, revision) {
      const row = select.get(deal, revision) as unknown as readonly unknown[] | undefined
      return row && readEvent(row)
    },
  }
}
