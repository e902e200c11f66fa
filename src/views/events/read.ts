import { namedEntries } from '../parts/happenings/named-entries.ts'
import { readActivity } from '../parts/shown.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { eventsPage } from './view.ts'

export async function showEvents(list: ShownList, { service }: Visit): Promise<View> {
  const activity = await namedEntries(list.items.map(readActivity), service.store)
  const now = new Date().toISOString()
  return () => eventsPage({ ...list, activity, now, addresses: service.addresses })
}
