import { rate } from '../../model/rate/rate.ts'
import { task } from '../../model/task/task.ts'
import type { Addresses } from '../../screens/parts/visit.ts'
import { asSegment, withQuery } from '../../values/address.ts'

export type { Addresses }

export const CATALOG = '/.well-known/api-catalog'

/** Every address of the service, written in one place. */
export function addressesAt(base: string): Addresses {
  const deals = `${base}/rest/v1/deals`
  const customers = `${base}/customers`
  const commands = `${base}/rest/commands`
  const webhooks = `${base}/webhooks`
  const imports = `${base}/import`
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
    import: (id, part) => `${imports}/${id}${part === undefined ? '' : `/${part}`}`,
    users,
    user,
    ofUser: (name, part, id) => `${user(name)}/${part}${id === undefined ? '' : `/${asSegment(id)}`}`,
    people: `${base}/people`,
    person: (name) => `${base}/people/${asSegment(name)}`,
    audit: `${base}/audit`,
    search: `${base}/search`,
    theme: `${base}/theme`,
    signIn: `${base}/sign-in`,
    signOut: `${base}/sign-out`,
    setUp: `${base}/set-up`,
    calendar: (secret) => `${base}/calendar/${secret}.ics`,
    invitation: (token) => `${base}/invitations/${token}`,
    catalog: base === '' ? CATALOG : new URL(CATALOG, base).href,
    problem: (code) => `${base}/problems/${code}`,
    rates: `${base}${rate.path}`,
    tasks: `${base}${task.path}`,
    day: `${base}/day`,
    reportingCurrency: `${base}/reporting-currency`,
    filter: (view) => `${base}/filters/${view}`,
    changes: (collection) => `${base}/changes/${collection}`,
  }
}
