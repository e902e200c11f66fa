import type { Operation } from '../../deals/operation.ts'
import { dealOperations, whyNotNow } from '../../deals/operations.ts'
import { actionsPage } from '../../pages/actions.ts'
import { operationPage } from '../../pages/operation.ts'
import { readDeal } from '../../pages/shown.ts'
import type { Document } from '../../representations/document.ts'
import type { StoredDeal } from '../../store/store.ts'
import { type Call, mayOnlyRead, NEEDS_EDITOR } from '../endpoint.ts'
import { markingsOf, offerOf } from './deal.ts'
import { sampleOf } from './every-form.ts'

export function showOperation(operation: Operation, stored: StoredDeal, call: Call): Document['page'] {
  const deal = readDeal(stored.json)
  const now = new Date().toISOString()
  return () =>
    operationPage({
      deal,
      offer: offerOf(operation, stored, deal, now, call),
      others: dealOperations.map((each) => offerOf(each, stored, deal, now, call)),
      everyForm: sampleOf(operation, stored, call),
      places: call.service.addresses,
    })
}

export function showActions(stored: StoredDeal, call: Call): Document['page'] {
  const deal = readDeal(stored.json)
  const now = new Date().toISOString()
  const actions = dealOperations.map((operation) => ({
    operation,
    whyNot: mayOnlyRead(call) ? NEEDS_EDITOR : whyNotNow(operation, markingsOf(deal), now),
  }))
  return () => actionsPage({ deal, actions, places: call.service.addresses })
}
