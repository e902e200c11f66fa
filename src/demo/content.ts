import type { DomainEvent } from '../model/declaration/event.ts'
import type { Thing } from '../model/declaration/resource.ts'
import type { Resource, Schema } from '../model/declaration/schema.ts'
import type { Command } from '../model/intent/intent.ts'
import { resourceNamed } from '../model/schema/resources.ts'
import { demoCustomers, EARLY_CUSTOMERS } from './customers/customers.ts'
import { demoDeals, demoRenewals } from './deals.ts'
import { demoModel } from './model.ts'
import { randomFrom } from './random.ts'
import { demoRates } from './rates.ts'
import { demoTargets } from './targets.ts'
import { demoTasks } from './tasks.ts'
import { SOME_DAY } from './time.ts'
import { demoViews } from './views.ts'

interface DemoContent {
  readonly things: readonly { readonly resource: Resource; readonly things: readonly Thing[] }[]
  readonly events: readonly DomainEvent[]
  readonly commands: readonly Command[]
}

const SEED = 20_261_113

/**
 * A thousand customers, sixty deals with their history and some renewals, tasks, rates, targets, views and a model of
 * their own, up to a day; the same day gives the same data.
 */
export function demoContent(before: Schema, today = SOME_DAY): DemoContent {
  const model = demoModel(before, randomFrom(SEED + 5), today)
  const named = (name: string): Resource => resourceNamed(model.schema, name)
  const customers = demoCustomers(named('customer'), randomFrom(SEED), today)
  // Deals are with customers whose names every font has, so that a screenshot of the board has no gaps.
  const known = customers.slice(0, EARLY_CUSTOMERS).filter(({ name }) => /^[\u0020-\u04ff]+$/.test(name))
  const reached = known.filter(({ email }) => email !== null)
  const sales = demoDeals(named('deal'), randomFrom(SEED + 1), today, known)
  const stories = [...sales, ...demoRenewals(named('deal'), randomFrom(SEED + 6), today, reached)]
  const tasks = demoTasks(
    named('task'),
    sales.map(({ deal }) => deal),
    randomFrom(SEED + 2),
    today,
  )
  const rates = demoRates(named('rate'), randomFrom(SEED + 3), today)
  const targets = demoTargets(named('target'), randomFrom(SEED + 4), today)
  const views = demoViews(named('view'), randomFrom(SEED + 7), today)
  return {
    things: [
      { resource: named('customer'), things: customers },
      { resource: named('deal'), things: stories.map(({ deal }) => deal) },
      { resource: named('task'), things: tasks.map(({ task }) => task) },
      { resource: named('rate'), things: rates.map(({ rate }) => rate) },
      { resource: named('target'), things: targets.map(({ target }) => target) },
      { resource: named('view'), things: views.map(({ view }) => view) },
      ...model.things,
    ],
    events: [model, ...rates, ...targets, ...views, ...stories, ...tasks]
      .flatMap(({ events }) => events)
      .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
    commands: stories.flatMap(({ commands }) => commands),
  }
}
