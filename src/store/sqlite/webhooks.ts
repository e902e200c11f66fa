import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Taken, WebhookOutcome, WebhookStore } from '../port/webhook-store.ts'
import type { GroupCommit } from './group-commit.ts'
import { ownerName } from './held-deliveries.ts'
import { webhookRows } from './webhook-rows.ts'

/** Webhooks are read here and written in the writer's thread. */
export function sqliteWebhooks(db: DatabaseSync, writer: GroupCommit): WebhookStore {
  const rows = webhookRows(db)
  const owner = ownerName(randomUUID())
  return {
    async add(webhook) {
      await writer.run({ kind: 'webhook', write: ['add', webhook] })
    },
    find: async (id) => rows.find(id),
    change: (change) => writer.run({ kind: 'webhook', write: ['change', change] }) as Promise<WebhookOutcome>,
    delivery: async (webhook, number) => rows.delivery(webhook, number),
    redeliver: (webhook, number) =>
      writer.run({ kind: 'webhook', write: ['redeliver', webhook, number] }) as Promise<string | undefined>,
    async take(order, results) {
      // Asked first where it costs nothing: most of the time there is nothing to do, and so nothing to commit.
      if (results.length === 0 && !rows.hasWork()) return nothing
      return (await writer.run({ kind: 'webhook', write: ['take', order, results, owner] })) as Taken
    },
    async settle(results) {
      await writer.run({ kind: 'webhook', write: ['settle', results, owner] })
    },
    async renew(held, lease) {
      // Nothing pending: nothing is ours or left by others, and no wait could be put right.
      if (held.length === 0 && !rows.hasPending()) return
      await writer.run({ kind: 'webhook', write: ['renew', held, lease, owner] })
    },
    async release() {
      await writer.run({ kind: 'webhook', write: ['release', owner] })
    },
    trim: (before) => writer.run({ kind: 'webhook', write: ['trim', before] }) as Promise<boolean>,
    backlog: async () => rows.backlog(),
  }
}

const nothing: Taken = { deliveries: [], more: false }
