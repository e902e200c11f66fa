import { collections } from '../collections.ts'
import { defineNamedQuery } from '../named-query.ts'

export const heldDeals = defineNamedQuery({
  name: 'held-deals',
  title: 'Deals on hold, by their currency',
  collection: collections.deals,
  parameter: { name: 'currency', of: 'currency', example: 'EUR' },
  besides: ['held', true],
})
