import { collections } from '../collections.ts'
import { defineNamedQuery } from '../named-query.ts'
import type { Value } from '../query.ts'

const dayAfter = (date: Value): Value =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

export const overdueDeals = defineNamedQuery({
  name: 'overdue-deals',
  title: 'Open deals that were to be completed before a date',
  collection: collections.deals,
  parameter: { name: 'date', of: 'completionDate', compares: 'lt', example: '2026-11-30', fitting: dayAfter },
  besides: ['status', 'open'],
  sort: 'completionDate',
})
