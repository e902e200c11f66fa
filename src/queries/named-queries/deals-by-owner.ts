import { collections } from '../collections.ts'
import { defineNamedQuery } from '../named-query.ts'

export const dealsByOwner = defineNamedQuery({
  name: 'deals-by-owner',
  title: 'Deals that somebody looks after',
  collection: collections.deals,
  parameter: { name: 'owner', of: 'owner', example: 'Mila Sanz' },
})
