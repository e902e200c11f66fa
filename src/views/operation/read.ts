import { deal as deals } from '../../model/deal/deal.ts'
import type { Operation } from '../../model/operation.ts'
import { operationsOnExisting } from '../../model/resources.ts'
import type { StoredDeal } from '../../store/port/store.ts'
import { offerOf } from '../deal/read.ts'
import { readDeal } from '../parts/shown.ts'
import type { View, Visit } from '../parts/visit.ts'
import type { EveryForm } from './every-form.ts'
import { operationPage } from './view.ts'

export function showOperation(operation: Operation, stored: StoredDeal, everyForm: EveryForm, visit: Visit): View {
  const { addresses } = visit.service
  const deal = readDeal(stored.json)
  const now = new Date().toISOString()
  const offer = offerOf(operation, stored, deal, now, visit)
  const others = operationsOnExisting(deals).map((each) => offerOf(each, stored, deal, now, visit))
  return () => operationPage({ deal, offer, others, everyForm, addresses })
}
