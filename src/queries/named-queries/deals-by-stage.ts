import { collections } from '../collections.ts'
import { defineNamedQuery } from '../named-query.ts'

export const dealsByStage = defineNamedQuery({
  name: 'deals-by-stage',
  title: 'Deals in a stage of the pipeline',
  collection: collections.deals,
  parameter: { name: 'stage', of: 'stage', example: 'proposal' },
})
