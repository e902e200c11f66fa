import { eventsPage } from '../../views/events.ts'
import { readActivity } from '../../views/shown.ts'
import type { CollectionAddress } from '../resources/collection-endpoint.ts'

export const showEvents: NonNullable<CollectionAddress['page']> = async (list, { service }) => {
  const activity = list.items.map(readActivity)
  const now = new Date().toISOString()
  return () => eventsPage({ ...list, links: { ...list.links }, activity, now, places: service.addresses })
}
