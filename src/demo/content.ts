import type { Customer } from '../model/customer/customer.ts'
import type { Deal } from '../model/deal/deal.ts'
import type { DealEvent } from '../model/event.ts'
import type { Command } from '../model/perform.ts'
import { demoCustomers } from './customers.ts'
import { demoDeals } from './deals.ts'
import { randomFrom } from './random.ts'

interface DemoContent {
  readonly customers: readonly Customer[]
  readonly deals: readonly Deal[]
  readonly events: readonly DealEvent[]
  readonly commands: readonly Command[]
}

const SEED = 20_261_113

/** A thousand customers and sixty deals with their history: every run gives the same bytes. */
export function demoContent(): DemoContent {
  const customers = demoCustomers(randomFrom(SEED))
  const told = demoDeals(randomFrom(SEED + 1))
  return {
    customers,
    deals: told.map(({ deal }) => deal),
    events: told.flatMap(({ events }) => events).toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    commands: told.flatMap(({ commands }) => commands),
  }
}
