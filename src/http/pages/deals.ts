import { dealsPage } from '../../pages/deals.ts'
import { readDeal } from '../../pages/shown.ts'
import type { CollectionAddress } from '../collection-endpoint.ts'
import { mayDo } from '../endpoint.ts'
import { creationForm } from '../page-forms.ts'
import { customerNames } from './ask.ts'

export const showDeals: NonNullable<CollectionAddress['page']> = async (list, call) => {
  const { store, addresses } = call.service
  const deals = list.items.map(readDeal)
  const customers = await customerNames(store, deals)
  const now = new Date().toISOString()
  return () =>
    dealsPage({
      ...list,
      links: { ...list.links },
      deals,
      customers,
      ...(mayDo(call, 'editor') && { creation: creationForm(call) }),
      now,
      places: addresses,
    })
}
