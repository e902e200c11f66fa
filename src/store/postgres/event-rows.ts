import type { Store } from '../port/store.ts'
import { entryJson } from '../rows/event-body.ts'
import type { Connections } from './connections.ts'

const select = {
  name: 'event',
  text: 'SELECT operation, type, action, at, body, deal FROM events WHERE deal_id = $1 AND revision = $2',
}

/** Finds the event that made a deal's revision. */
export function eventFinder(connections: Connections): Store['event'] {
  return async (deal, revision) => {
    const [row] = await connections.read(select, [deal, revision])
    if (row === undefined) return undefined
    const [operation, type, action, at, body, json] = row.map(String) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    return { revision, operation, at, entry: entryJson(body, type, action, at), deal: json }
  }
}
