import { customer } from '../model/customer/customer.ts'
import { deal } from '../model/deal/deal.ts'
import type { DomainEvent } from '../model/event.ts'
import type { Command } from '../model/perform/intent.ts'
import { rate } from '../model/rate/rate.ts'
import type { Resource, Thing } from '../model/resource.ts'
import { task } from '../model/task/task.ts'
import { demoCustomers, EARLY_CUSTOMERS } from './customers/customers.ts'
import { demoDeals } from './deals.ts'
import { randomFrom } from './random.ts'
import { demoRates } from './rates.ts'
import { demoTasks } from './tasks.ts'
import { SOME_DAY } from './time.ts'

interface DemoContent {
  readonly things: readonly { readonly resource: Resource; readonly things: readonly Thing[] }[]
  readonly events: readonly DomainEvent[]
  readonly commands: readonly Command[]
}

const SEED = 20_261_113

/** A thousand customers, sixty deals with their history, tasks and rates, up to a day: each run of it gives the same. */
export function demoContent(today = SOME_DAY): DemoContent {
  const customers = demoCustomers(randomFrom(SEED), today)
  // Deals are with customers whose names every font has, so that a picture of the board has no gaps.
  const known = customers.slice(0, EARLY_CUSTOMERS).filter(({ name }) => /^[\u0020-\u04ff]+$/.test(name))
  const stories = demoDeals(
    randomFrom(SEED + 1),
    today,
    known.map(({ id }) => id),
  )
  const deals = stories.map((story) => story.deal)
  const tasks = demoTasks(deals, randomFrom(SEED + 2), today)
  const rates = demoRates(randomFrom(SEED + 3), today)
  return {
    things: [
      { resource: customer as unknown as Resource, things: customers },
      { resource: deal as unknown as Resource, things: deals },
      { resource: task as unknown as Resource, things: tasks.map((told) => told.task) },
      { resource: rate as unknown as Resource, things: rates.map((told) => told.rate) },
    ],
    events: [...rates, ...stories, ...tasks]
      .flatMap(({ events }) => events)
      .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    commands: stories.flatMap(({ commands }) => commands),
  }
}
