import type { State } from '../../values/guard.ts'
import { integer } from '../../values/kinds/number.ts'
import { notBefore } from '../../values/kinds/time.ts'
import { withDefault } from '../../values/members.ts'
import { defineManaged } from '../managed/managed-operation.ts'
import { valueIn } from '../operation.ts'
import { subscriptionFaults } from './condition.ts'
import { type StoredWebhook, webhook, webhookMembers, webhookPatch } from './webhook.ts'

const on = webhook.name
const DAY = 86_400

/**
 * The random values of a new webhook. A form that is sent twice derives the same; `another` is for one that has changed
 * since.
 */
export interface PreparedWebhook {
  /** The user who creates it. */
  readonly owner: string | null
  readonly drawn: Pick<StoredWebhook, 'id' | 'secret'>
  readonly another: Pick<StoredWebhook, 'id' | 'secret'>
}

const create = defineManaged({
  on,
  name: 'create',
  to: 'nothing',
  draws: 'secret',
  title: 'Subscribe to events',
  params: webhookMembers,
  body: {
    name: 'WebhookBody',
    examples: [
      { url: 'https://example.com/hooks', types: ['deal.held', 'deal.completed'] },
      { url: 'https://example.com/large', types: ['deal.*'], where: 'price.gte=10000', changed: ['stage', 'price'] },
    ],
  },
  check: (values, _facts: object, { user }, { conditionFaults }) =>
    subscriptionFaults({ ...values, owner: user }, conditionFaults),
  apply: (_facts: object, { values, prepared, now }): StoredWebhook => ({
    ...values,
    ...(prepared as PreparedWebhook).drawn,
    owner: (prepared as PreparedWebhook).owner,
    status: 'active',
    endedAt: null,
    endedBecause: null,
    previousSecretUntil: null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
    previousSecret: null,
  }),
})

const change = defineManaged({
  on,
  name: 'change',
  title: 'Change or pause a webhook',
  noun: 'changes',
  params: webhookPatch,
  body: { name: 'WebhookPatch', examples: [{ where: 'price.gte=10000', types: ['deal.*'] }, { paused: true }] },
  state: webhookState,
  demandsState: true,
  /** A condition is checked when a part of it is sent: an earlier one stays unchanged. */
  check: (values, before: StoredWebhook, _manager, { conditionFaults }) =>
    ['types', 'where', 'changed'].some((name) => Object.hasOwn(values, name))
      ? subscriptionFaults({ ...before, ...values }, conditionFaults)
      : [],
  isPrepared: true,
  refused: ({ status, endedBecause }: StoredWebhook) =>
    status === 'ended' ? { code: 'webhook-ended', because: endedBecause } : undefined,
  /** Without a difference there is no new revision. */
  apply(before: StoredWebhook, { values, now }): StoredWebhook {
    const after = { ...before, ...values }
    if (Object.keys(values).every((name) => isSame(valueIn(before, name), valueIn(after, name)))) return before
    return { ...after, updatedAt: notBefore(before.updatedAt, now), revision: before.revision + 1 }
  },
})

/** Values are texts, booleans and lists of texts. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const remove = defineManaged({
  on,
  name: 'remove',
  removes: true,
  noun: 'removals',
  title: 'Remove a webhook',
  params: () => ({}),
  state: webhookState,
  demandsState: true,
  apply: (removed: StoredWebhook) => removed,
})

const rotate = defineManaged({
  on,
  name: 'rotate',
  title: 'Give a webhook a new secret',
  noun: 'rotations',
  draws: 'secret',
  /** The number of seconds for which the previous secret signs, too. */
  params: () => ({ overlap: withDefault(integer({ min: 0, max: 30 * DAY }), DAY) }),
  body: { name: 'Rotation', examples: [{ overlap: 3600 }] },
  state: webhookState,
  demandsState: true,
  apply: (before: StoredWebhook, { values, prepared, now }): StoredWebhook => ({
    ...before,
    secret: prepared as string,
    previousSecret: before.secret,
    previousSecretUntil: new Date(Date.parse(now) + values.overlap * 1000).toISOString(),
    updatedAt: notBefore(before.updatedAt, now),
    revision: before.revision + 1,
  }),
})

export const webhookOperations = { create, change, remove, rotate } as const

/** The state before revision 2 began at the creation; for later revisions its beginning is unknown. */
export function webhookState({ revision, updatedAt, createdAt }: StoredWebhook): State {
  return { revision, updatedAt, previousAt: revision === 1 ? null : revision === 2 ? createdAt : updatedAt }
}

/** The receiver answered that it is gone. */
export const endedWebhook = (active: StoredWebhook, endedBecause: string, now: string): StoredWebhook => ({
  ...active,
  status: 'ended',
  endedAt: now,
  endedBecause,
  updatedAt: notBefore(active.updatedAt, now),
  revision: active.revision + 1,
})
