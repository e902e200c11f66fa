import { collections } from '../collections.ts'
import { defineNamedQuery } from '../named-query.ts'

export const overdueDeals = defineNamedQuery({
  name: 'overdue-deals',
  title: 'Open deals that were to be completed before a date',
  collection: collections.deals,
  parameter: { name: 'date', of: 'completionDate', example: '2026-11-30' },
  where: (date) => [
    ['status', 'eq', 'open'],
    ['completionDate', 'lt', date],
  ],
  sort: 'completionDate',
})
