import { deal as deals } from '../../model/deal/deal.ts'
import type { StoredDeal, StoredEvent } from '../../store/port/store.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import { readDeal, readEntry } from '../parts/shown.ts'
import type { ShownList, View, Visit } from '../parts/visit.ts'
import { entryPage, historyPage } from './view.ts'

/** The history of a deal, or its entries of one kind, under a title. */
export const showHistory =
  (title: string) =>
  async (list: ShownList, { params, path, service }: Visit): Promise<View | undefined> => {
    const { store, addresses } = service
    const stored = await store.find(deals, params.id ?? '')
    if (stored === undefined) return undefined
    const deal = readDeal(stored.json)
    const entries = await namedEntries(list.items.map(readEntry), store)
    const trimmed = await store.trimmed.of(stored.id)
    return () => historyPage({ ...list, deal, title, address: addresses.base + path, entries, trimmed, addresses })
  }

export async function showEntry(event: StoredEvent, stored: StoredDeal, { service }: Visit): Promise<View> {
  const { store, addresses } = service
  const deal = readDeal(stored.json)
  const [entry = readEntry(event.entry)] = await namedEntries([readEntry(event.entry)], store)
  return () => entryPage({ deal, entry, addresses })
}
