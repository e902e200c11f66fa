import type { Document } from '../../representations/document.ts'
import type { StoredDeal, StoredEvent } from '../../store/port/store.ts'
import { entryPage, historyPage } from '../../views/history.ts'
import { readDeal, readEntry } from '../../views/shown.ts'
import type { Call } from '../endpoint.ts'
import type { CollectionAddress } from '../resources/collection-endpoint.ts'

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
