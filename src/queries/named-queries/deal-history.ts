import { collections } from '../collections.ts'
import { defineNamedQuery } from '../named-query.ts'

export const dealHistory = defineNamedQuery({
  name: 'deal-history',
  title: 'What was done with a deal',
  collection: collections.history,
  parameter: {
    name: 'dealId',
    of: 'deal',
    example: '01936f2e-5d3c-7a41-8f6b-2f1c9f6d8a10',
    seenOn: [collections.deals, 'id'],
  },
})
