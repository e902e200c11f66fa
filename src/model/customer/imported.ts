import type { Happening } from '../event.ts'
import { customer } from './customer.ts'

/** An import is one event with counts and without a customer: an event for each row would flood the feed. */
export const imported: Happening = {
  on: customer,
  name: 'import',
  words: { participles: [], noun: '', action: 'ImportCustomers', event: 'customers.imported' },
  sentence: ({ inserted, updated }, say) => ({
    done: 'imported customers: {inserted} new, {updated} changed',
    with: { inserted: say.number(inserted), updated: say.number(updated) },
  }),
}
