import { type Deal, deal as dealResource } from '../model/deal/deal.ts'
import type { OperationName } from '../model/deal/operations.ts'
import type { DomainEvent } from '../model/event.ts'
import type { Params } from '../model/operation.ts'
import type { Command } from '../model/perform/intent.ts'
import { operationsOnExisting } from '../model/resources.ts'
import { uuidV7 } from '../values/kinds/uuid.ts'
import { EARLY_CUSTOMERS } from './customers.ts'
import { type Goods, goods } from './goods.ts'
import { perform } from './perform.ts'
import { plots } from './plots.ts'
import { pick, type Random } from './random.ts'
import type { StoryStep } from './story.ts'
import { DAY, dateAt, TODAY, workingTime } from './time.ts'

export interface ToldDeal {
  readonly deal: Deal
  readonly events: readonly DomainEvent[]
  readonly commands: readonly Command[]
}

/** Every deal is created and changed by the real operations, at the times of its story. */
export function demoDeals(random: Random): readonly ToldDeal[] {
  const told = plots.flatMap(({ times, stages, steps }) =>
    Array.from({ length: times }, (_, nth) => steps(stages[nth % stages.length] ?? 'lead')),
  )
  const rest = withoutPlot(told.flat())
  return told.map((steps, index) => tell(index, index === 0 ? [...steps, ...rest] : steps, random))
}

/** Operations that no plot has: the first deal, which is open, goes through their examples. */
function withoutPlot(steps: readonly StoryStep[]): readonly StoryStep[] {
  return operationsOnExisting(dealResource)
    .filter(({ name }) => steps.every(({ operation }) => operation !== name))
    .map(({ name, examples: [params] }) => ({ operation: name as OperationName, params: () => params }))
}

function tell(index: number, steps: readonly StoryStep[], random: Random): ToldDeal {
  const times = timesOf(steps.length + 1, random)
  const start = times[0] ?? TODAY
  const id = uuidV7(
    start,
    Uint8Array.from({ length: 10 }, () => random(256)),
  )
  const article = goods[index % goods.length] as Goods
  let deal = performed(undefined, id, 'create', creation(article, index, start, random), start, random)
  const events = [...deal.events]
  const commands = [...deal.commands]
  for (const [nth, { operation, params }] of steps.entries()) {
    const at = times[nth + 1] ?? TODAY
    deal = performed(deal.deal, id, operation, params(deal.deal, at, random), at, random)
    events.push(...deal.events)
    commands.push(...deal.commands)
  }
  return { deal: deal.deal, events, commands }
}

/** Instants days apart, in office hours, the last one within the last two weeks. */
function timesOf(count: number, random: Random): readonly number[] {
  let time = TODAY - DAY * (4 + random(10))
  const times: number[] = []
  for (let left = count; left > 0; left--) {
    times.unshift(workingTime(time, random(600)))
    time -= DAY * (3 + random(9))
  }
  return times
}

function creation(article: Goods, index: number, at: number, random: Random): Params {
  const { name, price, description } = article
  return {
    name: index < goods.length ? name : `${name}, follow-up`,
    price: index < goods.length ? price : Math.round(price * (40 + random(50))) / 100,
    currency: pick(['EUR', 'EUR', 'EUR', 'EUR', 'CHF', 'SEK', 'USD'], random),
    customerId: random(12) === 0 ? null : 1 + random(EARLY_CUSTOMERS),
    description,
    completionDate: random(6) === 0 ? null : dateAt(at + (20 + random(120)) * DAY),
  }
}

function performed(
  before: Deal | undefined,
  id: string,
  operation: OperationName,
  params: Params,
  at: number,
  random: Random,
): ToldDeal {
  // Payments have a command id, as a careful client sends them.
  const byCommand = operation === 'record-payment' || operation === 'create'
  const { thing, ...told } = perform({
    ...{ resource: 'deal', id, before, operation, params, at },
    ...(byCommand && { command: { id: `demo-${operation}-${id}-${before?.revision ?? 0}`, by: 'id' } }),
    actor: pick(['mila', 'jonas', 'aino', 'omar', 'chloe'], random),
    form: byCommand ? 'command' : pick(formsOfOne, random),
  })
  return { deal: thing as Deal, ...told }
}

/** Forms that ask for one operation without a command id. */
const formsOfOne = ['verb', 'participle', 'single-update', 'noun', 'command-endpoint']
