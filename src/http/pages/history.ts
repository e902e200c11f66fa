import { entryPage, historyPage } from '../../pages/history.ts'
import { readDeal, readEntry } from '../../pages/shown.ts'
import type { Document } from '../../representations/document.ts'
import type { StoredDeal, StoredEvent } from '../../store/store.ts'
import type { CollectionAddress } from '../collection-endpoint.ts'
import type { Call } from '../endpoint.ts'

/** The history of a deal, or its entries of one kind, under a title. */
export const showHistory =
  (title: string): NonNullable<CollectionAddress['page']> =>
  async (list, { params, path, service }) => {
    const stored = await service.store.deal(params.id ?? '')
    if (stored === undefined) return undefined
    const { addresses } = service
    return () =>
      historyPage({
        ...list,
        deal: readDeal(stored.json),
        title,
        address: addresses.base + path,
        entries: list.items.map(readEntry),
        links: { ...list.links },
        places: addresses,
      })
  }

export const showEntry =
  (event: StoredEvent, deal: StoredDeal, { service }: Call): Document['page'] =>
  () =>
    entryPage({ deal: readDeal(deal.json), entry: readEntry(event.entry), places: service.addresses })
