import { readActivity } from '../parts/shown.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { eventsPage } from './view.ts'

export async function showEvents(list: ShownList, { service }: Visit): Promise<View> {
  const activity = list.items.map(readActivity)
  const now = new Date().toISOString()
  return () => eventsPage({ ...list, activity, now, addresses: service.addresses })
}
