import type { DomainEvent } from '../model/declaration/event.ts'
import type { Params } from '../model/declaration/operation.ts'
import type { Resource } from '../model/declaration/schema.ts'
import type { Command } from '../model/intent/intent.ts'
import type { Customer } from '../model/nouns/customer/customer.ts'
import type { Deal } from '../model/nouns/deal/deal.ts'
import type { OperationName } from '../model/nouns/deal/operations.ts'
import { operationsOnExisting } from '../model/schema/resources.ts'
import { salesStages } from '../model/source/pipeline-source.ts'
import { contracts, type Goods, goods, owners } from './goods.ts'
import { renewalStages } from './model.ts'
import { perform } from './perform.ts'
import { type Plot, plots, renewalPlots } from './plots.ts'
import { idAt, pick, type Random, randomFrom } from './random.ts'
import { type StoryStep, story } from './story.ts'
import { DAY, dateAt, workingTime } from './time.ts'

export interface ToldDeal {
  readonly deal: Deal
  readonly events: readonly DomainEvent[]
  readonly commands: readonly Command[]
}

/** Every deal is created and changed by the real operations, at the times of its story. */
export function demoDeals(
  resource: Resource,
  random: Random,
  today: number,
  customers: readonly Customer[],
): readonly ToldDeal[] {
  const told = courses(plots, salesStages)
  const rest = withoutPlot(resource, told.flat())
  const own = randomFrom(OWN_SEED)
  const world = {
    resource,
    today,
    customers,
    random,
    given: () => ({ own: { source: sourceOf(own), ...rivals(own) } }),
  }
  return told.map((steps, index) => tell(index, index === 0 ? [...steps, ...rest] : steps, world))
}

const OWN_SEED = 8

/** Contracts of earlier deals, which end soon or have ended. */
export function demoRenewals(
  resource: Resource,
  random: Random,
  today: number,
  customers: readonly Customer[],
): readonly ToldDeal[] {
  const given = (index: number) => ({
    pipeline: 'renewals',
    name: `${contracts[index % contracts.length]}, ${dateAt(today + 365 * DAY).slice(0, 4)}`,
    description: '',
    price: 2_000 + random(90) * 250,
    customerId: pick(customers, random).id,
    own: { contractEnd: dateAt(today + (index * 13 - 40) * DAY), source: 'call', ...rivals(random) },
  })
  return courses(renewalPlots, renewalStages).map((steps, index) =>
    tell(index, steps, { resource, today, customers, random, given }),
  )
}

const sourceOf = (random: Random): string | null =>
  random(5) === 0 ? null : pick(['referral', 'referral', 'website', 'website', 'fair', 'call'], random)

const rivals = (random: Random): Params =>
  random(2) === 0 ? {} : { competitors: [pick(['Northwind', 'Contoso'], random), pick(['Fabrikam', 'Globex'], random)] }

const courses = (all: readonly Plot[], inOrder: readonly string[]): readonly (readonly StoryStep[])[] =>
  all.flatMap(({ times, stages, steps }) =>
    Array.from({ length: times }, (_, nth) => [
      ...story.reach(stages[nth % stages.length] ?? inOrder[0] ?? '', inOrder),
      ...steps,
    ]),
  )

/** Operations that no plot has: the first deal, which is open, performs their examples. */
function withoutPlot(resource: Resource, steps: readonly StoryStep[]): readonly StoryStep[] {
  return operationsOnExisting(resource)
    .filter(({ name }) => steps.every(({ operation }) => operation !== name))
    .map(({ name, examples: [params] }) => ({ operation: name as OperationName, params: () => params }))
}

interface StoryWorld {
  readonly resource: Resource
  readonly today: number
  /** The customers of deals. */
  readonly customers: readonly Customer[]
  /** Further parameters of the creation of a deal. */
  readonly given: (index: number) => Params
  readonly random: Random
}

function tell(index: number, steps: readonly StoryStep[], world: StoryWorld): ToldDeal {
  const { today, random } = world
  const times = timesOf(steps.length + 1, endOf(steps, index, today), random)
  const start = times[0] ?? today
  const id = idAt(start, random)
  const article = goods[index % goods.length] as Goods
  let deal = performed(
    undefined,
    id,
    'create',
    { ...creation(article, index, world), ...world.given(index) },
    start,
    world,
  )
  const events = [...deal.events]
  const commands = [...deal.commands]
  for (const [nth, { operation, params }] of steps.entries()) {
    const at = times[nth + 1] ?? today
    deal = performed(deal.deal, id, operation, params(deal.deal, at, random), at, world)
    events.push(...deal.events)
    commands.push(...deal.commands)
  }
  return { deal: deal.deal, events, commands }
}

/** Open deals changed recently; decided ones are spread over the last five months. */
function endOf(steps: readonly StoryStep[], index: number, today: number): number {
  const isDecided = steps.some(({ operation }) => operation === 'complete' || operation === 'cancel')
  return today - DAY * (isDecided ? (ends[index % ends.length] ?? 0) : 0)
}

/** In days before today. */
const ends = [0, 34, 66, 2, 95, 122, 0, 50, 80, 18, 108, 4, 140]

/** Instants days apart, in office hours, the last one within ten days before the end. */
function timesOf(count: number, end: number, random: Random): readonly number[] {
  let time = end - DAY * (1 + random(9))
  const times: number[] = []
  for (let left = count; left > 0; left--) {
    times.unshift(workingTime(time, random(600)))
    time -= DAY * (3 + random(9))
  }
  return times
}

/** In days from today: some are late, some are due this week. */
const dues = [9, -6, 24, 2, 41, 5, 63, 1, 17, 88, -2, 33, 4, 120, 12, 0, 52, 29]

function creation(article: Goods, index: number, { today, customers, random }: StoryWorld): Params {
  const { name, price, description } = article
  return {
    name: index < goods.length ? name : `${name}, follow-up`,
    price: index < goods.length ? price : Math.round(price * (40 + random(50))) / 100,
    currency: pick(['EUR', 'EUR', 'EUR', 'EUR', 'CHF', 'GBP', 'SEK', 'USD'], random),
    customerId: random(12) === 0 ? null : pick(customers, random).id,
    description,
    completionDate: random(9) === 0 ? null : dateAt(today + (dues[index % dues.length] ?? 0) * DAY),
  }
}

function performed(
  before: Deal | undefined,
  id: string,
  operation: OperationName,
  params: Params,
  at: number,
  { resource, random, customers }: StoryWorld,
): ToldDeal {
  // Payments have a command id, as a careful client sends them.
  const byCommand = operation === 'record-payment' || operation === 'create'
  const { thing, ...told } = perform({
    ...{ resource, id, before, operation, params, at },
    related: (_resource, customer) => customers.find((each) => each.id === customer),
    ...(byCommand && { command: { id: `demo-${operation}-${id}-${before?.revision ?? 0}`, by: 'id' } }),
    actor: before?.owner ?? pick(owners, random),
    form: byCommand ? 'command' : pick(formsOfOne, random),
  })
  return { deal: thing as Deal, ...told }
}

/** Forms that ask for one operation without a command id. */
const formsOfOne = ['verb', 'participle', 'single-update', 'noun', 'command-endpoint']
