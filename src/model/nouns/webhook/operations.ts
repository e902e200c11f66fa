import { integer } from '../../../values/kinds/number.ts'
import { notBefore } from '../../../values/kinds/time.ts'
import { withDefault } from '../../../values/members.ts'
import { type DecidingFacts, defineAudited } from '../../declaration/operation.ts'
import type { Refusal } from '../../declaration/refusal.ts'
import { subscriptionFaults } from './condition.ts'
import { type StoredWebhook, webhook, webhookMembers, webhookPatch } from './webhook.ts'

const on = webhook
const DAY = 86_400

/**
 * The random values of a new webhook. A form that is sent twice derives the same; `another` is for one that has changed
 * since.
 */
export interface PreparedWebhook {
  readonly drawn: Pick<StoredWebhook, 'id' | 'secret'>
  readonly another: Pick<StoredWebhook, 'id' | 'secret'>
}

const create = defineAudited({
  on,
  name: 'create',
  to: 'nothing',
  draws: 'secret',
  title: 'Subscribe to events',
  params: ({ schema }) => webhookMembers(schema),
  body: {
    name: 'WebhookBody',
    examples: [
      { url: 'https://example.com/hooks', types: ['deal.held', 'deal.completed'] },
      { url: 'https://example.com/large', types: ['deal.*'], where: 'price.gte=10000', changed: ['stage', 'price'] },
    ],
  },
  // A part with a fault of its own says nothing about the others.
  check: ({ types, where, changed }, _now, { caller, conditionFaults }) =>
    types === undefined || where === undefined || changed === undefined
      ? []
      : subscriptionFaults({ types, where, changed, owner: caller?.user ?? null }, conditionFaults),
  apply: (_blank, fields, _now, { caller, prepared }: DecidingFacts<object, unknown, PreparedWebhook>) => ({
    ...fields,
    ...prepared.drawn,
    owner: caller?.user ?? null,
    status: 'active' as const,
    endedAt: null,
    endedBecause: null,
    previousSecretUntil: null,
    previousSecret: null,
  }),
})

const change = defineAudited({
  on,
  name: 'change',
  title: 'Change or pause a webhook',
  noun: 'changes',
  params: ({ schema }) => webhookPatch(schema),
  body: { name: 'WebhookPatch', examples: [{ where: 'price.gte=10000', types: ['deal.*'] }, { paused: true }] },
  demandsState: true,
  prepares: true,
  differences: true,
  /** A condition is checked when a part of it is sent: an earlier one stays unchanged. */
  check: (fields, _now, { thing, conditionFaults }) =>
    ['types', 'where', 'changed'].some((name) => Object.hasOwn(fields, name))
      ? subscriptionFaults({ ...thing, ...fields }, conditionFaults)
      : [],
  apply: (before, fields) => (before.status === 'ended' ? { refused: ended(before) } : fields),
})

/** Nothing more is delivered, so nothing more is asked of it. */
export const ended = ({ endedBecause }: Pick<StoredWebhook, 'endedBecause'>): Refusal => ({
  code: 'webhook-ended',
  because: endedBecause,
})

const remove = defineAudited({
  on,
  name: 'remove',
  removes: true,
  noun: 'removals',
  title: 'Remove a webhook',
  params: () => ({}),
  demandsState: true,
  apply: () => ({}),
})

const rotate = defineAudited({
  on,
  name: 'rotate',
  title: 'Give a webhook a new secret',
  noun: 'rotations',
  draws: 'secret',
  /** The number of seconds for which the previous secret signs, too. */
  params: () => ({ overlap: withDefault(integer({ min: 0, max: 30 * DAY }), DAY) }),
  body: { name: 'Rotation', examples: [{ overlap: 3600 }] },
  demandsState: true,
  apply: (before, { overlap }, now) => ({
    previousSecret: before.secret,
    previousSecretUntil: new Date(Date.parse(now) + overlap * 1000).toISOString(),
  }),
})

export const webhookOperations = [create, change, remove, rotate] as const

/** The receiver answered that it is gone. */
export const endedWebhook = (active: StoredWebhook, endedBecause: string, now: string): StoredWebhook => ({
  ...active,
  status: 'ended',
  endedAt: now,
  endedBecause,
  updatedAt: notBefore(active.updatedAt, now),
  revision: active.revision + 1,
})
