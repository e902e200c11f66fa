import { pick, type Random } from '../src/demo/random.ts'
import type { Size } from './data-set.ts'
import type { Answer } from './load/connection.ts'
import type { Ceiling } from './server.ts'

/** What a connection asks next, given the answer before. */
export type Script = (last: Answer | undefined) => string

/** What the generator knows when it writes requests. */
export interface Known extends Size {
  /** The deals that can be read. */
  readonly live: Some<string>
  /** Those of them that are open. */
  readonly open: Some<string>
  readonly connections: number
  readonly random: Random
  /** The `next` links of the workload's starting pages. */
  readonly starts: readonly string[]
}

type Some<T> = readonly [T, ...T[]]

export interface Workload {
  readonly name: string
  readonly title: string
  /** What is counted. */
  readonly unit: 'request' | 'row'
  readonly ceilings: readonly Ceiling[]
  readonly connections: number
  /** One request makes a round, whatever the round's length. */
  readonly once: boolean
  /** Pages that are asked before the measuring, for their `next` links. */
  readonly startingPages?: (size: Size) => readonly string[]
  /** The workload beside which the latency of this one's reads is seen. */
  readonly quiet?: string
  readonly script: (known: Known, connection: number) => Script
}

const usual = { unit: 'request', ceilings: ['bare', 'express'], connections: 32, once: false } as const

/** A change is also compared with the least that has all of the service's indexes or none, and that shares no commit. */
const change = {
  ...usual,
  ceilings: ['bare', 'bare, all indexes', 'bare, no index', 'express', 'express, each'],
} as const

/** What a service written by hand does not have. */
const alone = { ...usual, ceilings: [] } as const

export const workloads: readonly Workload[] = [
  {
    ...usual,
    name: 'W1',
    title: 'read one deal',
    ceilings: ['bare', 'express', 'static'],
    script: ({ live, random }) => {
      return () => get(dealAddress(pick(live, random)))
    },
  },
  {
    ...usual,
    name: 'W2',
    title: 'page of 50, filtered by age and children',
    script: ({ random }) => {
      return () => get(`/customers?${filtered(20 + random(40), 2)}`)
    },
  },
  {
    ...usual,
    name: 'W3',
    title: 'far page of 50 by next, filtered',
    startingPages: farPages,
    script: followNext,
  },
  {
    ...usual,
    name: 'W4',
    title: 'page of 100, unfiltered',
    ceilings: ['bare', 'express', 'static'],
    script: () => () => get('/customers?maxpagesize=100'),
  },
  {
    ...change,
    name: 'W5',
    title: 'create a deal, durable',
    ceilings: [...change.ceilings, 'static'],
    script: ({ random, customers }) => {
      return () => send('POST', DEALS, { ...newDeal, price: random(1e8) / 100, customerId: 1 + random(customers) })
    },
  },
  { ...change, name: 'W6', title: 'hold and unhold, durable', script: holdAndUnhold },
  {
    ...usual,
    name: 'W7',
    title: 'export of all customers, NDJSON',
    unit: 'row',
    connections: 1,
    once: true,
    script: () => () => get('/customers.ndjson', 'application/x-ndjson'),
  },
  {
    ...usual,
    name: 'W8',
    title: '90 % reads, 10 % operations',
    quiet: 'W1',
    script: (known, connection) => {
      const operate = holdAndUnhold(known, connection)
      const { live, random } = known
      return (last) => (random(10) === 0 ? operate(last) : get(dealAddress(pick(live, random))))
    },
  },
  {
    ...usual,
    name: 'W9',
    title: 'operations on one hot deal',
    // A payment is allowed whatever the others did just before.
    script: ({ open: [hot] }) => {
      return () => send('PUT', `${dealAddress(hot)}/record-payment`, { amount: 0.01 })
    },
  },
  { ...alone, name: 'W10', title: 'page by number, at a tenth of all', script: numberedPages(0.1) },
  { ...alone, name: 'W11', title: 'page by number, at three quarters', script: numberedPages(0.75) },
  {
    ...alone,
    name: 'W12',
    title: 'one deal as HTML',
    script: forPeople(({ live, random }) => dealAddress(pick(live, random))),
  },
  { ...alone, name: 'W13', title: '50 deals as HTML', script: forPeople(() => `${DEALS}?maxpagesize=50`) },
  { ...alone, name: 'W14', title: '/board as HTML', script: forPeople(() => '/board') },
  { ...alone, name: 'W15', title: '/ as HTML', script: forPeople(() => '/') },
  {
    ...change,
    name: 'W16',
    title: 'create a deal whose fields all differ',
    script: ({ random, customers }) => {
      return () => send('POST', DEALS, differingDeal(random, customers))
    },
  },
  {
    ...change,
    name: 'W17',
    title: 'hold a random deal',
    // A deal that is already held gets another reason.
    script: ({ open, random }) => {
      return () => send('PUT', `${dealAddress(pick(open, random))}/hold`, { reason: `credit check ${random(1e6)}` })
    },
  },
  { ...alone, name: 'W18', title: 'a report whose answer is kept', script: forPeople(() => '/reports/pipeline') },
  {
    ...alone,
    name: 'W19',
    title: 'search for a word of a few deals',
    script: () => () => get(`/rest/v1/deals?q=${FEW_HITS}`),
  },
]

/** A word of some deals that are made for it. */
export const FEW_HITS = 'Xylophone'

/** The same question with few, some and most rows matching: one shape, and not always the same best plan. */
export const growthWorkloads: readonly Workload[] = [
  { ...usual, name: 'W2-selective', title: 'W2, 0.006 % match', script: always(filtered(30, 8)) },
  { ...usual, name: 'W2-middle', title: 'W2, 5 % match', script: always(filtered(30, 2)) },
  {
    ...usual,
    name: 'W2-unselective',
    title: 'W2, 91 % match',
    script: always('min-age=1&max-age=98&min-children=0'),
  },
  ...workloads.filter(({ name }) => name === 'W3' || name === 'W4'),
]

export function workloadNamed(name: string): Workload {
  const found = [...workloads, ...growthWorkloads].find((each) => each.name === name)
  if (found === undefined) throw new Error(`there is no workload ${name}`)
  return found
}

const DEALS = '/rest/v1/deals'

export const dealAddress = (id: string): string => `${DEALS}/${id}`

const newDeal = {
  name: 'Forty espresso machines',
  owner: 'Mila Sanz',
  stage: 'qualified',
  completionDate: '2026-12-01',
}

const stages: Some<string> = ['lead', 'qualified', 'proposal', 'negotiation', 'contract']
const DAY = 86_400_000
const FIRST_DATE = Date.UTC(2026, 0, 1)

/** A deal that has hardly anything in common with the one before: each index is changed at another place. */
function differingDeal(random: Random, customers: number): object {
  return {
    name: `${random(1e6).toString(36)} espresso machines`,
    price: random(1e8) / 100,
    customerId: 1 + random(customers),
    owner: `Owner ${random(1000)}`,
    stage: pick(stages, random),
    completionDate: new Date(FIRST_DATE + random(1000) * DAY).toISOString().slice(0, 10),
  }
}

/** Of fifty customers each, around a place among all of them. */
function numberedPages(place: number): Workload['script'] {
  return ({ customers, random }) => {
    const page = Math.max(1, Math.floor((customers * place) / 50) - 50)
    return () => get(`/customers?maxpagesize=50&page=${page + random(100)}`)
  }
}

function forPeople(address: (known: Known) => string): Workload['script'] {
  return (known) => () => get(address(known), 'text/html')
}

function filtered(age: number, children: number): string {
  return `min-age=${age}&max-age=${age + 10}&min-children=${children}`
}

function always(query: string): Workload['script'] {
  const request = get(`/customers?${query}`)
  return () => () => request
}

/** Pages in the last third of what matches: a little over 4 % of all do. */
function farPages({ customers }: Size): readonly string[] {
  return [0.029, 0.03, 0.031, 0.032].map((share) => {
    return `/customers?${filtered(30, 2)}&page=${Math.max(1, Math.floor((customers * share) / 50))}`
  })
}

function followNext({ starts }: Known, connection: number): Script {
  const start = get(starts[connection % starts.length] ?? '')
  return (last) => {
    const next = last && nextOf(last.body)
    return next === undefined ? start : get(next)
  }
}

const NEXT = '"next":"'

/** The `next` link of a page, which stands behind its items. */
export function nextOf(body: Buffer): string | undefined {
  const at = body.lastIndexOf(NEXT)
  return at === -1 ? undefined : body.toString('latin1', at + NEXT.length, body.indexOf('"', at + NEXT.length))
}

/** Each connection goes through deals of its own: a deal is held, then taken off hold, then comes the next. */
function holdAndUnhold({ open, connections, random }: Known, connection: number): Script {
  const own = Math.max(1, Math.floor(open.length / connections))
  let turn = random(own) * 2
  return () => {
    const deal = open[((turn >> 1) % own) * connections + connection] ?? open[0]
    return turn++ % 2 === 0
      ? send('PUT', `${dealAddress(deal)}/hold`, { reason: 'credit check' })
      : send('PUT', `${dealAddress(deal)}/unhold`, {})
  }
}

export function get(path: string, accept = 'application/json'): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: ${accept}\r\n\r\n`
}

/** The body is ASCII, so its characters are its bytes. */
function send(method: string, path: string, body: object): string {
  const text = JSON.stringify(body)
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
}
