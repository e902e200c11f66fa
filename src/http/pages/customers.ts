import { customersPage } from '../../views/customers.ts'
import { readCustomer } from '../../views/shown.ts'
import { mayDo } from '../endpoint.ts'
import type { CollectionAddress } from '../resources/collection-endpoint.ts'
import { customerCreationForm } from '../resources/page-forms.ts'
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
