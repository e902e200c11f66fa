import { collections } from '../collections.ts'
import { defineNamedQuery } from '../named-query.ts'

export const dealsByStatus = defineNamedQuery({
  name: 'deals-by-status',
  title: 'Deals in a status',
  collection: collections.deals,
  parameter: { name: 'status', of: 'status', example: 'open' },
})
