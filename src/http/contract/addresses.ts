import { rate } from '../../model/nouns/rate/rate.ts'
import { target } from '../../model/nouns/target/target.ts'
import { task } from '../../model/nouns/task/task.ts'
import { asSegment, withQuery } from '../../values/address.ts'

/** Every address of the service, each with the same base. */
export interface Addresses {
  /** Empty, or the BASE_URL. */
  readonly base: string
  readonly home: string
  readonly board: string
  readonly deals: string
  /** One thing of a resource. */
  thing(resource: { readonly path: string }, id: string | number): string
  /** The same in a past revision. */
  past(resource: { readonly path: string }, id: string | number, revision: number): string
  deal(id: string): string
  ofDeal(id: string, part: string): string
  /** An entry of the history of a thing. */
  entry(resource: { readonly path: string }, id: string | number, noun: string, revision: number): string
  /** The page that asks for confirmation of a final operation. */
  confirmation(resource: { readonly name: string }, id: string | number, operation: string): string
  readonly customers: string
  customer(id: number): string
  /**
   * The page for a new thing, with its fields filled in. `return`, a path without the base, is where the browser goes
   * afterwards; by default it goes to the new thing.
   */
  creation(resource: { readonly plural: string }, given?: { readonly [field: string]: string | number }): string
  readonly commands: string
  command(id: string): string
  readonly events: string
  readonly reports: string
  report(name: string): string
  readonly webhooks: string
  webhook(id: string): string
  delivery(webhook: string, number: number): string
  /** Where files are imported. */
  readonly imports: string
  /** An upload, or a part of its page. */
  import(id: string, part?: string): string
  readonly users: string
  user(name: string): string
  /** A list of a user, such as `sessions`, or one of its items. */
  ofUser(name: string, part: string, id?: string): string
  readonly people: string
  person(name: string): string
  readonly audit: string
  readonly search: string
  /** The target of a choice of colours. */
  readonly theme: string
  readonly developer: string
  readonly signIn: string
  readonly signOut: string
  readonly setUp: string
  /** A user's calendar, for programs that send no credentials. */
  calendar(secret: string): string
  /** Where an invited user sets a password. */
  invitation(token: string): string
  /** RFC 8615: a well-known address is at the root of its host, whatever the base is. */
  readonly catalog: string
  problem(code: string): string
  readonly rates: string
  readonly targets: string
  readonly tasks: string
  /** The target of a choice of the reporting currency. */
  readonly reportingCurrency: string
  /** The target of a choice of whose deals the home page shows. */
  readonly day: string
  /** The target of a filter bar, which redirects to the filtered list. */
  filter(view: string): string
  /** The target of a move of an entry in an arranged list. */
  order(collection: string): string
  /** The target of a change of selected rows. */
  changes(collection: string): string
}

export const CATALOG = '/.well-known/api-catalog'
/** Where probes ask whether the service can work. */
export const READY = '/health/ready'

/** Every address of the service, written in one place. */
export function addressesAt(base: string): Addresses {
  const deals = `${base}/rest/v1/deals`
  const customers = `${base}/customers`
  const commands = `${base}/rest/commands`
  const webhooks = `${base}/webhooks`
  const imports = `${base}/imports`
  const users = `${base}/users`
  const user = (name: string): string => `${users}/${asSegment(name)}`
  return {
    base,
    home: `${base}/`,
    board: `${base}/board`,
    deals,
    thing: ({ path }, id) => `${base}${path}/${id}`,
    past: ({ path }, id, revision) => `${base}${path}/${id}?revision=${revision}`,
    deal: (id) => `${deals}/${id}`,
    ofDeal: (id, part) => `${deals}/${id}/${part}`,
    entry: ({ path }, id, noun, revision) => `${base}${path}/${id}/${noun}/${revision}`,
    confirmation: ({ name }, id, operation) => `${base}/confirm/${name}/${encodeURIComponent(id)}/${operation}`,
    customers,
    customer: (id) => `${customers}/${id}`,
    creation: ({ plural }, given = {}) => {
      const query = Object.entries(given).map(([name, value]) => ({ raw: `${name}=${encodeURIComponent(value)}` }))
      return withQuery(`${base}/new/${plural}`, query)
    },
    commands,
    command: (id) => `${commands}/${id}`,
    events: `${base}/events`,
    reports: `${base}/reports`,
    report: (name) => `${base}/reports/${name}`,
    webhooks,
    webhook: (id) => `${webhooks}/${id}`,
    delivery: (webhook, number) => `${webhooks}/${webhook}/deliveries/${number}`,
    imports,
    import: (id, part) => `${imports}/${encodeURIComponent(id)}${part === undefined ? '' : `/${part}`}`,
    users,
    user,
    ofUser: (name, part, id) => `${user(name)}/${part}${id === undefined ? '' : `/${asSegment(id)}`}`,
    people: `${base}/people`,
    person: (name) => `${base}/people/${asSegment(name)}`,
    audit: `${base}/audit`,
    search: `${base}/search`,
    theme: `${base}/theme`,
    developer: `${base}/developer`,
    signIn: `${base}/sign-in`,
    signOut: `${base}/sign-out`,
    setUp: `${base}/set-up`,
    calendar: (secret) => `${base}/calendar/${secret}.ics`,
    invitation: (token) => `${base}/invitations/${token}`,
    catalog: base === '' ? CATALOG : new URL(CATALOG, base).href,
    problem: (code) => `${base}/problems/${code}`,
    rates: `${base}${rate.path}`,
    targets: `${base}${target.path}`,
    tasks: `${base}${task.path}`,
    day: `${base}/day`,
    reportingCurrency: `${base}/reporting-currency`,
    filter: (view) => `${base}/filters/${view}`,
    order: (collection) => `${base}/order/${collection}`,
    changes: (collection) => `${base}/changes/${collection}`,
  }
}
