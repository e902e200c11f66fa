import type { DatabaseSync } from 'node:sqlite'
import { bySchema } from '../../../model/declaration/by-schema.ts'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { StoredEvent } from '../../port/desk.ts'
import { type EventRow, eventColumns, eventValues, findEvent, readEvent } from '../../rows/event.ts'
import { sqlite } from '../sql/dialect.ts'

export function eventRows(db: DatabaseSync) {
  const columns = [...eventColumns, 'milestone', 'previous']
  const insert = db.prepare(
    `INSERT OR FAIL INTO events (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  )
  const selectOf = bySchema((resource: Resource) => {
    const select = db.prepare(findEvent(sqlite, resource).text)
    select.setReturnArrays(true)
    return select
  })
  return {
    /** Appends events of one thing to its last one, if any; returns the position of the last. */
    append(rows: readonly EventRow[], last: number | null): number | null {
      let previous = last
      for (const row of rows) {
        previous = Number(insert.run(...eventValues(row), Number(row.isMilestone), previous).lastInsertRowid)
      }
      return previous
    },
    find(resource: Resource, subject: Key, revision: number): StoredEvent | undefined {
      const row = selectOf(resource).get(String(subject), revision) as unknown as readonly unknown[] | undefined
      return row && readEvent(row)
    },
  }
}
