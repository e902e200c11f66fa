import type { Store } from '../../port/store.ts'
import { type EventRow, eventColumns, eventValues, findEvent, readEvent } from '../../rows/event.ts'
import { statementIn } from '../../sql/dialect.ts'
import type { Session } from '../connect/connection.ts'
import type { Connections } from '../connect/connections.ts'
import { postgres } from '../dialect.ts'
import { nextSequence } from '../write/write.ts'

const FIND = statementIn(postgres, findEvent)

/** Finds the event that made a thing's revision. */
export function eventFinder(connections: Connections): Store['event'] {
  return async (subject, revision) => {
    const [row] = await connections.read(FIND, [String(subject), revision])
    return row && readEvent(row)
  }
}

/** Writes events in the order in which they happened. */
export async function insertEvents({ query }: Session, rows: readonly EventRow[]): Promise<void> {
  const records = rows.map((row) => {
    const values = eventValues(row)
    return Object.fromEntries(eventColumns.map((column, at) => [column, values[at]]))
  })
  await query({ text: INSERT }, [JSON.stringify(records)])
}

const INSERT = `INSERT INTO events (sequence, ${eventColumns.join(', ')})
  SELECT ${nextSequence}, ${eventColumns.join(', ')} FROM feed_generation
    CROSS JOIN ROWS FROM (json_populate_recordset(NULL::events, $1)) WITH ORDINALITY AS event ORDER BY ordinality`
