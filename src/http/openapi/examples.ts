import { type Customer, customerToJson } from '../../model/customer/customer.ts'
import { blankDeal, type Deal, dealToJson } from '../../model/deal/deal.ts'
import { operationNamed } from '../../model/deal/operations.ts'
import type { Command } from '../../model/perform.ts'
import type { Document } from '../../representations/document.ts'
import { entryJson, eventBody } from '../../store/rows/event.ts'
import type { Json } from '../../values/kind.ts'
import { addressesAt } from '../addresses.ts'
import { commandDocument, customerDocument, dealDocument, entryDocument } from '../respond/documents.ts'
import { problemMembers, refusalProblem } from '../respond/problem.ts'

export type Examples = Readonly<Record<'Deal' | 'Customer' | 'Entry' | 'Command' | 'Problem', Json>>

export const exampleDealId = '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10'
const id = exampleDealId
const now = '2026-11-15T04:05:05.173Z'
const addresses = addressesAt('')

/** Documents as the service itself makes them: nothing here is written by hand that it could say otherwise. */
export function exampleDocuments(): Examples {
  const created = done(blankDeal(id, now, 'EUR'), 'create').deal
  const { deal, event } = done(created, 'hold')
  const entry = { revision: deal.revision, operation: 'hold', at: now, entry: event.entry, deal: dealToJson(deal) }
  return {
    Deal: read(dealDocument({ ...deal, json: dealToJson(deal) }, addresses)),
    Customer: read(customerDocument({ ...customer, json: customerToJson(customer) }, addresses)),
    Entry: read(entryDocument(entry, id, 'holds', addresses)),
    Command: read(commandDocument(command, addresses)),
    Problem: { ...wrongState(deal), instance: 'urn:dealdesk:request:b809458f30-4' },
  }
}

const read = ({ json }: Document): Json => JSON.parse(json) as Json

function done(before: Deal, name: 'create' | 'hold') {
  const operation = operationNamed(name)
  const decision = operation?.decide(before, operation.examples[0], { now, customers: new Set() })
  if (operation === undefined || decision === undefined || !('deal' in decision)) throw new Error(`${name} is refused`)
  const { deal, params } = decision
  const body = eventBody({ operation: name, params, deal, at: now, actor: 'mila', form: 'noun', commandId: null })
  const { event, action } = operation.words
  const entry = entryJson(body, event, action, now)
  return { deal, event: { entry } }
}

const customer: Customer = {
  id: 7,
  name: 'Ana Ruiz',
  email: 'ana@example.com',
  age: 41,
  children: 2,
  country: 'ES',
  createdAt: now,
  updatedAt: now,
  revision: 1,
}

const command: Command = {
  id: 'pay-0001',
  deal: id,
  action: 'RecordDealPayment',
  params: { amount: 0.1 },
  status: 'applied',
  refusal: null,
  revision: 3,
  decidedAt: now,
}

function wrongState(deal: Deal): { readonly [name: string]: Json } {
  const refusal = {
    code: 'wrong-state',
    operation: 'complete',
    reason: 'the deal is held',
    deal: markings(deal),
    allowed: ['unhold', 'cancel'],
  } as const
  return problemMembers(refusalProblem(refusal), addresses)
}

const markings = ({ id, status, held, archived, deletedAt, revision }: Deal) => ({
  id,
  status,
  held,
  archived,
  deletedAt,
  revision,
})
