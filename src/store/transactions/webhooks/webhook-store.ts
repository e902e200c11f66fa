import type { Schema } from '../../../model/declaration/schema.ts'
import type { ClaimedDeliveries, WebhookStore } from '../../port/webhook-store.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import type { Methods } from '../work.ts'
import { claimWork } from './claim-deliveries.ts'
import { type EndedOwners, leaseWork } from './delivery-leases.ts'
import { settleDeliveries } from './settle-deliveries.ts'
import { webhookWork } from './webhooks.ts'

/** All operations on webhooks and their deliveries, by name. */
export type WebhookWorks = ReturnType<typeof webhookWorks>

export function webhookWorks(dialect: SqlDialect, endedOwners: EndedOwners, schema: Schema) {
  const settle = settleDeliveries(dialect)
  return { ...webhookWork(dialect), ...claimWork(dialect, schema, settle), settle, ...leaseWork(dialect, endedOwners) }
}

export const webhookReads = ['find', 'tries', 'health', 'hasWork', 'hasPending', 'backlog'] as const

/** `owner` names this process in its claims. */
export function webhookStore(works: Methods<WebhookWorks>, owner: string): WebhookStore {
  return {
    ...works,
    health: async (ids) => new Map(await works.health(ids)),
    async claim(request, results) {
      // Checked first because it is cheap: most of the time there is nothing to do, and nothing to commit.
      if (results.length === 0 && !(await works.hasWork())) return nothing
      return works.claim(request, results, owner)
    },
    settle: (results) => works.settle(results, owner),
    async renew(held, lease) {
      // Nothing is pending: nothing is ours or left by others, and no wait needs correction.
      if (held.length > 0 || (await works.hasPending())) await works.renew(held, lease, owner)
    },
    async release() {
      if (await works.hasPending()) await works.release(owner)
    },
  }
}

const nothing: ClaimedDeliveries = { deliveries: [], more: false }
