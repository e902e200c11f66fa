import { operationsOnExisting } from '../../model/resources.ts'
import type { Operation } from '../../model/schema.ts'
import type { Desk, StoredDeal } from '../../store/port/desk.ts'
import type { OperationOffer } from '../deal/offers.ts'
import { offerOf } from '../deal/read.ts'
import { withPicked } from '../page-forms/picks.ts'
import { readPicked } from '../page-forms/read-picked.ts'
import { readDeal } from '../parts/shown.ts'
import type { View, Visit } from '../parts/visit.ts'
import type { EveryForm } from '../reference/every-form.ts'
import { operationPage } from './view.ts'

export async function showOperation(
  operation: Operation,
  stored: StoredDeal,
  everyForm: EveryForm,
  visit: Visit,
): Promise<View> {
  const { addresses } = visit.service
  const deal = readDeal(stored.json)
  const now = new Date().toISOString()
  const offer = await withNames(offerOf(operation, stored, deal, now, visit), visit.desk)
  const others = operationsOnExisting(operation.on).map((each) => offerOf(each, stored, deal, now, visit))
  return () => operationPage({ deal, offer, others, everyForm, addresses })
}

/** Its fields that refer to something say its name. */
async function withNames(offer: OperationOffer, desk: Desk): Promise<OperationOffer> {
  if (!('form' in offer)) return offer
  const { operation, form } = offer
  const values = new Map(form.fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
  return { ...offer, form: withPicked(form, await readPicked(values, operation.params, desk)) }
}
