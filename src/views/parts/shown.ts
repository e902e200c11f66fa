import type { Deal } from '../../model/deal/deal.ts'
import { type ExactNumber, readDocument } from '../../representations/read-document.ts'
import { remembered } from '../../values/remembered.ts'

// Things as their documents show them: amounts are decimals, exact where a double is not.

export type Amount = number | ExactNumber

export interface ShownDeal {
  readonly id: string
  readonly name: string
  readonly price: Amount
  readonly currency: string
  readonly customerId: number | null
  readonly owner: string | null
  readonly description: string
  readonly stage: Deal['stage']
  readonly completionDate: string | null
  readonly status: Deal['status']
  readonly held: boolean
  readonly holdReason: string | null
  readonly archived: boolean
  readonly amercement: Amount
  readonly paid: Amount
  readonly completedOn: string | null
  readonly acceptedBy: string | null
  readonly closingReason: string | null
  readonly deletedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
}

export interface ShownCustomer {
  readonly id: number
  readonly name: string
  readonly email: string | null
  readonly age: number | null
  readonly children: number | null
  readonly country: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
}

/** An entry of a deal's history. */
export interface ShownEntry {
  readonly operation: string
  readonly params: { readonly [name: string]: unknown }
  readonly revision: number
  readonly actor: string | null
  readonly form: string
  readonly commandId?: string
  readonly at: string
}

/** An entry, and the deal that it left behind. */
export interface ShownActivity extends ShownEntry {
  readonly deal: ShownDeal
}

export interface ShownCommand {
  readonly id: string
  readonly deal: string
  readonly action: string
  readonly params: { readonly [name: string]: unknown }
  readonly status: 'applied' | 'rejected'
  readonly problem?: { readonly detail: string; readonly title: string }
  readonly revision: number
  readonly decidedAt: string
}

// People look at the same deals again and again; to read fifty costs as much as their table.
export const readDeal = remembered((json) => readDocument(json) as unknown as ShownDeal, 1000, 2000)
export const readCustomer = (json: string): ShownCustomer => readDocument(json) as unknown as ShownCustomer
export const readEntry = (json: string): ShownEntry => readDocument(json) as unknown as ShownEntry

interface CloudEvent {
  readonly time: string
  readonly data: Omit<ShownActivity, 'at'>
}

/** From the feed's own document. */
export function readActivity(json: string): ShownActivity {
  const { time, data } = readDocument(json) as unknown as CloudEvent
  return { ...data, at: time }
}
