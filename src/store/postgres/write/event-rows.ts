import type { StoreReads } from '../../desks.ts'
import { type EventRow, eventColumns, eventValues, findEvent, readEvent } from '../../rows/event.ts'
import { statementIn } from '../../sql/dialect.ts'
import { type BoundStatement, bind } from '../../work/work.ts'
import type { Connections } from '../connect/connections.ts'
import { postgres } from '../sql/dialect.ts'
import { recordsOf } from './records.ts'
import { nextSequence } from './thing-rows.ts'

const FIND = statementIn(postgres, findEvent)

/** Finds the event that made a thing's revision. */
export function eventFinder(connections: Connections): StoreReads['event'] {
  return async ({ name }, subject, revision) => {
    const [row] = await connections.read(FIND, [String(subject), revision, name])
    return row && readEvent(row)
  }
}

/** Writes events in chronological order. */
export const appendEvents = (rows: readonly EventRow[], writeId: string | null = null): BoundStatement =>
  bind(APPEND, recordsOf(eventColumns, rows.map(eventValues)), writeId)

const APPEND = {
  text: `INSERT INTO events (sequence, write_id, ${eventColumns.join(', ')})
    SELECT ${nextSequence}, $2::uuid, ${eventColumns.join(', ')} FROM feed_generation
      CROSS JOIN ROWS FROM (json_populate_recordset(NULL::events, $1)) WITH ORDINALITY AS event ORDER BY ordinality`,
}
