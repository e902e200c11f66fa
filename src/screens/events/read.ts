import { mapInTurns } from '../../store/port/take-turns.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import { readActivity } from '../parts/shown.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { eventsPage } from './view.ts'

export async function showEvents(list: ShownList, { desk, service, reader }: Visit): Promise<View> {
  const activity = await namedEntries(await mapInTurns(list.items, (json) => readActivity(json, desk.schema)), desk)
  const now = new Date().toISOString()
  return () =>
    eventsPage({ ...list, schema: desk.schema, activity, now, timeZone: reader.timeZone, addresses: service.addresses })
}
