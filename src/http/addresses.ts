import type { Places } from '../views/places.ts'

/** Every address of the service, written in one place. `base` stands before each: empty, or the BASE_URL. */
export interface Addresses extends Places {
  dealCommand(deal: string, id: string): string
  problem(code: string): string
  /** RFC 8615: a well-known address is at the root of its host, whatever stands before all others. */
  readonly catalog: string
}

export const CATALOG = '/.well-known/api-catalog'

export function addressesAt(base: string): Addresses {
  const deals = `${base}/rest/v1/deals`
  const customers = `${base}/customers`
  const commands = `${base}/rest/commands`
  const webhooks = `${base}/webhooks`
  return {
    base,
    home: `${base}/`,
    board: `${base}/board`,
    deals,
    deal: (id) => `${deals}/${id}`,
    ofDeal: (id, part) => `${deals}/${id}/${part}`,
    entry: (id, noun, revision) => `${deals}/${id}/${noun}/${revision}`,
    customers,
    customer: (id) => `${customers}/${id}`,
    commands,
    command: (id) => `${commands}/${id}`,
    dealCommand: (deal, id) => `${deals}/${deal}/commands/${id}`,
    events: `${base}/events`,
    webhooks,
    webhook: (id) => `${webhooks}/${id}`,
    delivery: (webhook, number) => `${webhooks}/${webhook}/deliveries/${number}`,
    catalog: base === '' ? CATALOG : new URL(CATALOG, base).href,
    problem: (code) => `${base}/problems/${code}`,
    filter: (view) => `${base}/filters/${view}`,
  }
}
