import { customer } from '../model/customer/customer.ts'
import { deal } from '../model/deal/deal.ts'
import type { DomainEvent } from '../model/event.ts'
import type { Command } from '../model/perform/intent.ts'
import type { Resource, Thing } from '../model/resource.ts'
import { demoCustomers } from './customers.ts'
import { demoDeals } from './deals.ts'
import { randomFrom } from './random.ts'

interface DemoContent {
  readonly things: readonly { readonly resource: Resource; readonly things: readonly Thing[] }[]
  readonly events: readonly DomainEvent[]
  readonly commands: readonly Command[]
}

const SEED = 20_261_113

/** A thousand customers and sixty deals with their history: every run gives the same bytes. */
export function demoContent(): DemoContent {
  const customers = demoCustomers(randomFrom(SEED))
  const stories = demoDeals(randomFrom(SEED + 1))
  return {
    things: [
      { resource: customer as unknown as Resource, things: customers },
      { resource: deal as unknown as Resource, things: stories.map((story) => story.deal) },
    ],
    events: stories.flatMap(({ events }) => events).toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    commands: stories.flatMap(({ commands }) => commands),
  }
}
