import { customersByAge } from './named-queries/customers-by-age.ts'
import { customersByChildren } from './named-queries/customers-by-children.ts'
import { dealHistory } from './named-queries/deal-history.ts'
import { dealsByCustomer } from './named-queries/deals-by-customer.ts'
import { dealsByOwner } from './named-queries/deals-by-owner.ts'
import { dealsByStage } from './named-queries/deals-by-stage.ts'
import { dealsByStatus } from './named-queries/deals-by-status.ts'
import { heldDeals } from './named-queries/held-deals.ts'
import { overdueDeals } from './named-queries/overdue-deals.ts'
import type { NamedQuery } from './named-query.ts'

/** Every result that can be asked by name. */
export const namedQueries: readonly NamedQuery[] = [
  dealsByCustomer,
  dealsByStatus,
  dealsByStage,
  dealsByOwner,
  heldDeals,
  overdueDeals,
  customersByAge,
  customersByChildren,
  dealHistory,
]

const byName = new Map(namedQueries.map((query) => [query.name, query]))

export const namedQuery = (name: string): NamedQuery | undefined => byName.get(name)
