import type { DomainEvent } from '../model/event.ts'
import type { Command } from '../model/perform/intent.ts'
import type { Thing } from '../model/resource.ts'
import { resourceNamed } from '../model/resources.ts'
import type { Resource, Schema } from '../model/schema.ts'
import { demoCustomers, EARLY_CUSTOMERS } from './customers/customers.ts'
import { demoDeals } from './deals.ts'
import { randomFrom } from './random.ts'
import { demoRates } from './rates.ts'
import { demoTargets } from './targets.ts'
import { demoTasks } from './tasks.ts'
import { SOME_DAY } from './time.ts'

interface DemoContent {
  readonly things: readonly { readonly resource: Resource; readonly things: readonly Thing[] }[]
  readonly events: readonly DomainEvent[]
  readonly commands: readonly Command[]
}

const SEED = 20_261_113

/**
 * A thousand customers, sixty deals with their history, tasks, rates and targets, up to a day; the same day gives the same data.
 */
export function demoContent(schema: Schema, today = SOME_DAY): DemoContent {
  const customer = resourceNamed(schema, 'customer')
  const deal = resourceNamed(schema, 'deal')
  const task = resourceNamed(schema, 'task')
  const rate = resourceNamed(schema, 'rate')
  const target = resourceNamed(schema, 'target')
  const customers = demoCustomers(customer, randomFrom(SEED), today)
  // Deals are with customers whose names every font has, so that a screenshot of the board has no gaps.
  const known = customers.slice(0, EARLY_CUSTOMERS).filter(({ name }) => /^[\u0020-\u04ff]+$/.test(name))
  const stories = demoDeals(
    deal,
    randomFrom(SEED + 1),
    today,
    known.map(({ id }) => id),
  )
  const deals = stories.map((story) => story.deal)
  const tasks = demoTasks(task, deals, randomFrom(SEED + 2), today)
  const rates = demoRates(rate, randomFrom(SEED + 3), today)
  const targets = demoTargets(target, randomFrom(SEED + 4), today)
  return {
    things: [
      { resource: customer, things: customers },
      { resource: deal, things: deals },
      { resource: task, things: tasks.map((told) => told.task) },
      { resource: rate, things: rates.map((told) => told.rate) },
      { resource: target, things: targets.map((told) => told.target) },
    ],
    events: [...rates, ...targets, ...stories, ...tasks]
      .flatMap(({ events }) => events)
      .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    commands: stories.flatMap(({ commands }) => commands),
  }
}
