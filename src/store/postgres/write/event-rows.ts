import type { HappenedTo } from '../../../model/declaration/event.ts'
import { type EventRow, eventColumns, eventValues } from '../../rows/event.ts'
import { type BoundStatement, bind } from '../../transactions/work.ts'
import { recordsOf } from './records.ts'
import { nextSequence } from './thing-rows.ts'

/** Writes events in chronological order. */
export const appendEvents = (rows: readonly EventRow<HappenedTo>[], writeId: string | null = null): BoundStatement =>
  bind(APPEND, recordsOf(eventColumns, rows.map(eventValues)), writeId)

const APPEND = {
  text: `INSERT INTO events (sequence, write_id, ${eventColumns.join(', ')})
    SELECT ${nextSequence}, $2::uuid, ${eventColumns.join(', ')} FROM feed_generation
      CROSS JOIN ROWS FROM (json_populate_recordset(NULL::events, $1)) WITH ORDINALITY AS event ORDER BY ordinality`,
}
