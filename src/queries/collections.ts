import { customerFields } from '../model/customer/customer.ts'
import { dealFields } from '../model/deal/deal.ts'
import { operations } from '../model/deal/operations.ts'
import { formNames } from '../model/event.ts'
import { webhookUrl } from '../model/webhook/webhook.ts'
import { nullable } from '../values/kind.ts'
import { boolean, integer } from '../values/number.ts'
import { sequence } from '../values/sequence.ts'
import { choice, text } from '../values/text.ts'
import { instant } from '../values/time.ts'
import { uuid } from '../values/uuid.ts'
import { type Collection, type CollectionName, defineCollection } from './collection.ts'

const operation = choice(operations.map(({ name }) => name))
const action = choice(operations.map(({ words }) => words.action))
const type = choice(operations.map(({ words }) => words.event))
const form = choice(formNames)
const actor = nullable(text({ min: 1, max: 200 }))
const commandId = text({ min: 1, max: 128 })
const revision = integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

const customers = defineCollection({
  name: 'customers',
  item: 'customer',
  key: 'id',
  fields: customerFields,
  indexed: ['id', 'name', 'age', 'children', 'createdAt'],
})

const deals = defineCollection({
  name: 'deals',
  item: 'deal',
  key: 'id',
  fields: dealFields,
  indexed: ['id', 'name', 'price', 'completionDate', 'createdAt', 'updatedAt'],
  hidden: { deleted: boolean },
  otherwise: { deleted: false },
})

const history = defineCollection({
  name: 'history',
  item: 'entry',
  key: 'revision',
  fields: { revision, operation, action, type, actor, form, commandId: nullable(commandId), at: instant },
  indexed: ['revision'],
  scopes: { deal: uuid },
  structured: ['params'],
})

const commands = defineCollection({
  name: 'commands',
  item: 'command',
  key: 'id',
  fields: {
    id: commandId,
    deal: uuid,
    // An attribute update under an idempotency key is a command too, under a name of its own.
    action: choice([...operations.map(({ words }) => words.action), 'UpdateDeal']),
    status: choice(['applied', 'rejected']),
    revision,
    decidedAt: instant,
  },
  indexed: ['id'],
  structured: ['params', 'problem'],
})

const events = defineCollection({
  name: 'events',
  item: 'event',
  key: 'sequence',
  fields: { sequence, type, time: instant },
  indexed: ['sequence'],
  hidden: { deal: uuid, operation, actor, form, commandId: nullable(commandId) },
  structured: ['specversion', 'id', 'source', 'subject', 'datacontenttype', 'data'],
  keyIsCursor: true,
})

const webhooks = defineCollection({
  name: 'webhooks',
  item: 'webhook',
  key: 'id',
  fields: {
    id: uuid,
    url: webhookUrl,
    status: choice(['active', 'ended']),
    endedAt: nullable(instant),
    endedBecause: nullable(text({ min: 1, max: 200 })),
    previousSecretUntil: nullable(instant),
    createdAt: instant,
    updatedAt: instant,
    revision,
  },
  indexed: ['id'],
  structured: ['types'],
})

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

const deliveries = defineCollection({
  name: 'deliveries',
  item: 'delivery',
  key: 'number',
  fields: {
    number: count,
    type,
    deal: uuid,
    status: choice(['pending', 'delivered', 'failed', 'cancelled']),
    attempts: count,
    lastTryAt: nullable(instant),
    responseStatus: nullable(count),
    duration: nullable(count),
    error: nullable(text({ min: 1, max: 200 })),
    nextTryAt: nullable(instant),
    createdAt: instant,
  },
  indexed: ['number'],
  scopes: { webhook: uuid },
  structured: ['id', 'event', 'answer'],
})

export const collections: { readonly [N in CollectionName]: Collection<N> } = {
  customers,
  deals,
  history,
  commands,
  events,
  webhooks,
  deliveries,
}
