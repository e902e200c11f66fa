import { pick, type Random } from '../src/demo/random.ts'
import type { DomainEvent } from '../src/model/declaration/event.ts'
import type { Intent } from '../src/model/intent/intent.ts'
import { type Customer, customer } from '../src/model/nouns/customer/customer.ts'
import type { Deal } from '../src/model/nouns/deal/deal.ts'
import { decideIntent } from '../src/model/perform/perform.ts'
import { buildSchema } from '../src/model/schema/build-schema.ts'
import { resourceNamed } from '../src/model/schema/resources.ts'
import { uuidV7 } from '../src/values/kinds/uuid.ts'

/** The nth customer: ages spread evenly from 0 to 99, children skewed to few, a few of each unknown. */
export function sampleCustomer(nth: number, random: Random): Customer {
  const first = pick(firstNames, random)
  const last = pick(lastNames, random)
  const at = instantOf(FIRST_DAY + nth * 60_000)
  return {
    ...customer.blank(nth, at),
    name: `${first} ${last}`,
    email: random(100) < 8 ? null : `${first}.${last}.${nth}@example.com`.toLowerCase(),
    age: random(100) < 3 ? null : random(100),
    children: random(100) < 4 ? null : childrenOf(random),
    country: random(100) < 5 ? null : pick(countries, random),
    revision: 1,
  }
}

/** The nth deal as the domain itself decides it, with the events that led to it. */
export function sampleDeal(
  nth: number,
  customers: number,
  random: Random,
  describe: (random: Random) => string = (random) => pick(descriptions, random),
): { readonly deal: Deal; readonly events: readonly DomainEvent[] } {
  const start = FIRST_DAY + nth * 600_000
  const customerId = random(10) === 0 ? null : 1 + random(customers)
  const bytes = Uint8Array.from({ length: 10 }, () => random(256))
  const facts = {
    resource: resourceNamed(schema, 'deal'),
    command: undefined,
    exists: () => true,
    related: () => undefined,
    idBy: () => undefined,
    queryFaults: () => [],
    people: () => [],
    heldBy: [],
    newId: () => uuidV7(start, bytes),
    defaults: { currency: 'EUR' },
  }
  let deal: Deal | undefined
  const events: DomainEvent[] = []
  for (const [step, change] of [creation(nth, customerId, describe(random), random), ...lifeOf(random)].entries()) {
    const intent: Intent = { ...asked, change, ...(deal && { target: deal.id }) }
    const now = instantOf(start + step * 3_600_000)
    const verdict = decideIntent(intent, { ...facts, thing: deal, now })
    if (verdict.kind !== 'apply') throw new Error(`the sample asks for what is refused: ${JSON.stringify(verdict)}`)
    deal = verdict.thing as Deal
    events.push(...verdict.events)
  }
  if (deal === undefined) throw new Error('no deal was made')
  return { deal, events }
}

const schema = buildSchema()

const asked: Omit<Intent, 'change'> = {
  resource: 'deal',
  pointers: { target: '/id', action: '', params: '' },
  faults: [],
  guard: { required: false },
  actor: null,
  form: 'resource',
  dryRun: false,
}

type Some<T> = readonly [T, ...T[]]

interface Change {
  readonly action: string
  readonly params: object
}

const creation = (nth: number, customerId: number | null, description: string, random: Random): Change => ({
  action: 'create',
  params: {
    name: `${pick(things, random)} for ${pick(lastNames, random)} ${nth}`,
    price: (10_000 + random(10_000_000)) / 100,
    customerId,
    owner: pick(firstNames, random),
    description,
    stage: pick(['lead', 'qualified', 'proposal', 'negotiation', 'contract'], random),
    completionDate: instantOf(FIRST_DAY + random(900) * DAY).slice(0, 10),
  },
})

const hold: Change = { action: 'hold', params: { reason: 'credit check' } }
const cheaper: Change = { action: 'change-price', params: { newPrice: 990, reason: 'discount' } }
const complete: Change = { action: 'complete', params: { acceptedBy: 'Mila Sanz' } }
const cancel: Change = { action: 'cancel', params: { amercement: 50, reason: 'customer withdrew' } }
const remove: Change = { action: 'delete', params: {} }

/** What may happen to a deal after its creation. */
const lives: Some<readonly Change[]> = [
  [hold],
  [hold],
  [hold],
  [cheaper],
  [cheaper, hold],
  [complete],
  [complete, { action: 'archive', params: {} }],
  [cheaper, complete],
  [cancel],
  [remove],
]

const QUIET_PERCENT = 75
const lifeOf = (random: Random): readonly Change[] => (random(100) < QUIET_PERCENT ? [] : pick(lives, random))

const DAY = 86_400_000
const FIRST_DAY = Date.UTC(2024, 0, 1)

const instantOf = (milliseconds: number): string => new Date(milliseconds).toISOString()

/** How many in 10,000 have so many children. */
const childrenShares = [3500, 2200, 2400, 1100, 500, 200, 70, 25, 5]

function childrenOf(random: Random): number {
  let rest = random(10_000)
  return childrenShares.findIndex((share) => {
    rest -= share
    return rest < 0
  })
}

const firstNames: Some<string> = ['Ana', 'Ben', 'Chloé', 'Dilek', 'Emil', 'Fatou', 'Goran', 'Hana', 'Ivo', 'Jun']
const lastNames: Some<string> = ['Almeida', 'Berg', 'Costa', 'Dvořák', 'Eriksen', 'Fischer', 'Gupta', 'Haas', 'Ito']
const countries: Some<string> = ['DE', 'FR', 'ES', 'PL', 'CZ', 'US', 'IN', 'JP', 'BR', 'TR']
const things: Some<string> = ['Forty espresso machines', 'Roof', 'Fleet lease', 'Shop fitting', 'Support contract']
/** One deal in twenty has as long a text as it may have; most have a sentence or two. */
export function longDescription(random: Random): string {
  const size = random(20) === 0 ? LONGEST_TEXT : random(600)
  let text = ''
  while (text.length < size) text += `${pick(texted, random)} `
  return text.slice(0, size).trim()
}

const LONGEST_TEXT = 10_000

const texted: Some<string> = [
  'delivery',
  ...['in', 'two', 'parts', 'the', 'buyer', 'wants', 'spring', 'fair', 'terms', 'größer', 'Fläche'],
  ...['renewal', 'discount', 'until', 'Žižkov', 'warranty', 'machines', 'support', 'contract', 'signed', 'again'],
]

const descriptions: Some<string> = [
  '',
  'Follow-up of the spring fair; the buyer wants delivery in two parts.',
  'Renewal on last year’s terms.',
]
