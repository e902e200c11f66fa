import { deal } from '../../model/deal/deal.ts'
import { creationAddress } from '../page-forms/operation-form.ts'
import { customerNames } from '../parts/ask.ts'
import { readDeal } from '../parts/shown.ts'
import { isUser, type ShownList, type View, type Visit } from '../parts/visit.ts'
import { dealsPage } from './view.ts'

export async function showDeals(list: ShownList, visit: Visit): Promise<View> {
  const { store, addresses } = visit.service
  const deals = list.items.map(readDeal)
  const customers = await customerNames(store, deals)
  const creation = creationAddress(deal, visit)
  const now = new Date().toISOString()
  return () => dealsPage({ ...list, deals, customers, creation, now, addresses, isUser: isUser(visit) })
}
