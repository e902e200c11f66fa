import type { Happening } from '../event.ts'
import { customer } from './customer.ts'

/** How many rows of an import created a customer, changed one, or changed nothing. */
export interface ImportCounts {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
}

export const noRows: ImportCounts = { inserted: 0, updated: 0, unchanged: 0 }

export const addCounts = (a: ImportCounts, b: ImportCounts): ImportCounts => ({
  inserted: a.inserted + b.inserted,
  updated: a.updated + b.updated,
  unchanged: a.unchanged + b.unchanged,
})

export const rowsOf = ({ inserted, updated, unchanged }: ImportCounts): number => inserted + updated + unchanged

export const hasChanges = ({ inserted, updated }: ImportCounts): boolean => inserted + updated > 0

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
