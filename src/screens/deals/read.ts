import { resourceNamed } from '../../model/resources.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { readSavedViews } from '../list/saved-views.ts'
import { readTotals } from '../list/totals.ts'
import { creationAddress } from '../page-forms/operation-form.ts'
import { customerNames } from '../parts/ask.ts'
import { readDeal } from '../parts/shown.ts'
import { isUser, type ShownList, type View, type Visit } from '../parts/visit.ts'
import { dealsPage } from './view.ts'

export async function showDeals(list: ShownList, visit: Visit): Promise<View> {
  const { addresses } = visit.service
  const deals = await mapInTurns(list.items, readDeal)
  const [customers, totals, saved] = await Promise.all([
    customerNames(visit.desk, deals),
    readTotals(collectionsOf(visit.desk.schema).deals, list, deals, visit, 'price'),
    readSavedViews('deals', visit),
  ])
  const resource = resourceNamed(visit.desk.schema, 'deal')
  const creation = creationAddress(resource, visit)
  const now = new Date().toISOString()
  const { role } = visit
  return () =>
    dealsPage({
      ...list,
      resource,
      deals,
      customers,
      totals,
      saved,
      creation,
      now,
      addresses,
      role,
      isUser: isUser(visit),
    })
}
