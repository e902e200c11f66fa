import { customersPage } from '../../pages/customers.ts'
import { readCustomer } from '../../pages/shown.ts'
import type { CollectionAddress } from '../collection-endpoint.ts'
import { mayDo } from '../endpoint.ts'
import { customerCreationForm } from '../page-forms.ts'
import { sparing } from './sparing.ts'

const ages = sparing((store, _day: string) => store.ages())

export const showCustomers: NonNullable<CollectionAddress['page']> = async (list, call) => {
  const { store, addresses } = call.service
  const counted = await ages(store, '')
  return () =>
    customersPage({
      ...list,
      links: { ...list.links },
      customers: list.items.map(readCustomer),
      ages: counted,
      ...(mayDo(call, 'editor') && { creation: customerCreationForm(call) }),
      places: addresses,
    })
}
