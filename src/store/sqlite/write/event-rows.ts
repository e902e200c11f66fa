import type { DatabaseSync } from 'node:sqlite'
import type { Key } from '../../../model/resource.ts'
import type { Resource } from '../../../model/schema.ts'
import type { StoredEvent } from '../../port/desk.ts'
import { type EventRow, eventColumns, eventValues, findEvent, readEvent } from '../../rows/event.ts'

export function eventRows(db: DatabaseSync) {
  const insert = db.prepare(
    `INSERT OR FAIL INTO events (${eventColumns.join(', ')}) VALUES (${eventColumns.map(() => '?').join(', ')})`,
  )
  const select = db.prepare(findEvent.text)
  select.setReturnArrays(true)
  return {
    insert(row: EventRow): void {
      insert.run(...eventValues(row))
    },
    find({ name }: Resource, subject: Key, revision: number): StoredEvent | undefined {
      const row = select.get(String(subject), revision, name) as unknown as readonly unknown[] | undefined
      return row && readEvent(row)
    },
  }
}
