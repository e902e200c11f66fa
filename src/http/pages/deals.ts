import { dealsPage } from '../../views/deals.ts'
import { readDeal } from '../../views/shown.ts'
import { mayDo } from '../endpoint.ts'
import type { CollectionAddress } from '../resources/collection-endpoint.ts'
import { creationForm } from '../resources/page-forms.ts'
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
