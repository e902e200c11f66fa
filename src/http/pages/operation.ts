import { dealOperations, whyNotNow } from '../../model/deal/operations.ts'
import type { Operation } from '../../model/operation.ts'
import type { Document } from '../../representations/document.ts'
import type { StoredDeal } from '../../store/port/store.ts'
import { actionsPage } from '../../views/actions.ts'
import { operationPage } from '../../views/operation.ts'
import { readDeal } from '../../views/shown.ts'
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
