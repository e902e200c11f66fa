import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { DomainEvent } from '../../../model/declaration/event.ts'
import type { Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import { projectionsOf } from '../../../model/schema/resources.ts'
import { projectionColumns, rowsBegun, SINCE, subjectColumn } from '../../rows/projection.ts'
import { toColumn } from './thing-rows.ts'

/** Ends and begins the rows of a thing, from its previous state, if any, and the states of its events. */
type Project = (before: Thing | undefined, events: readonly Pick<DomainEvent, 'thing'>[]) => void

/** Undefined if nothing is projected. */
export function projector(db: DatabaseSync, resource: Resource): Project | undefined {
  const kept = projectionsOf(resource).map((projection) => {
    const columns = projectionColumns(projection)
    return {
      projection,
      end: db.prepare(`UPDATE ${projection.name} SET until = ?1, seconds = unixepoch(?1) - unixepoch(since)
        WHERE ${subjectColumn(projection)} = ?2 AND until IS NULL`),
      begin: db.prepare(
        `INSERT INTO ${projection.name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ),
    }
  })
  if (kept.length === 0) return undefined
  return (before, events) => {
    for (const { projection, end, begin } of kept) {
      const rows = rowsBegun(projection, before, events)
      if (before !== undefined && rows[0] !== undefined) end.run(rows[0][SINCE] as SQLInputValue, before.id)
      for (const row of rows) begin.run(...row.map(toColumn))
    }
  }
}
