import { bySchema } from '../../declaration/by-schema.ts'
import type { Happening } from '../../declaration/event.ts'
import type { Resource, Schema } from '../../declaration/schema.ts'

export const importedWords: Happening['words'] = {
  participles: [],
  noun: '',
  action: 'ImportCustomers',
  event: 'customers.imported',
}

/** An import is one event with counts and without a customer: an event for each row would flood the feed. */
export const imported = bySchema(
  (schema: Schema): Happening<Resource> => ({
    on: schema.byName.get('customer') as Resource,
    name: 'import',
    words: importedWords,
    sentence: ({ inserted, updated }, say) => ({
      done: 'imported customers: {inserted} new, {updated} changed',
      with: { inserted: say.number(inserted), updated: say.number(updated) },
    }),
  }),
)
