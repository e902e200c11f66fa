import type { Store } from '../port/store.ts'
import { findEvent, readEvent } from '../rows/event.ts'
import { statementIn } from '../sql/dialect.ts'
import type { Connections } from './connections.ts'
import { postgres } from './dialect.ts'

const FIND = statementIn(postgres, findEvent)

/** Finds the event that made a deal's revision. */
export function eventFinder(connections: Connections): Store['event'] {
  return async (deal, revision) => {
    const [row] = await connections.read(FIND, [deal, revision])
    return row && readEvent(row)
  }
}
