import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import type { Screen } from '../parts/screen.ts'
import { readActivity } from '../parts/shown.ts'
import { eventsPage } from './view.ts'

export async function showEvents(list: ShownList, { desk, service, reader }: Call): Promise<Screen> {
  const activity = await namedEntries(await mapInTurns(list.items, (json) => readActivity(json, desk.schema)), desk)
  const now = new Date().toISOString()
  return () =>
    eventsPage({ ...list, schema: desk.schema, activity, now, timeZone: reader.timeZone, addresses: service.addresses })
}
