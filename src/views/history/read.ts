import { deal as deals } from '../../model/deal/deal.ts'
import type { StoredDeal, StoredEvent } from '../../store/port/store.ts'
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
    const entries = list.items.map(readEntry)
    const trimmed = await store.trimmed.of(stored.id)
    return () => historyPage({ ...list, deal, title, address: addresses.base + path, entries, trimmed, addresses })
  }

export const showEntry =
  (event: StoredEvent, deal: StoredDeal, { service }: Visit): View =>
  () =>
    entryPage({ deal: readDeal(deal.json), entry: readEntry(event.entry), addresses: service.addresses })
