import type { Operation } from '../src/model/declaration/schema.ts'
import { changeCustomer } from '../src/model/nouns/deal/operations/change-customer.ts'
import { picksOf } from '../src/screens/forms/picks.ts'

/** What a field that refers to a customer asks for with each letter. */
export function picking(text: string): string {
  return (
    picksOf('customerId', { refersTo: 'customer' }, changeCustomer as unknown as Operation, { base: '' })?.suggest +
    encodeURIComponent(text)
  )
}
