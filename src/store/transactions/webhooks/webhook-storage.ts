import type { PreparedWebhook } from '../../../model/nouns/webhook/operations.ts'
import type { StoredWebhook } from '../../../model/nouns/webhook/webhook.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import { webhookRows } from '../../rows/audited/webhook.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { type EffectResult, type Found, missing, type Refused, type Storage } from '../storage.ts'
import { ask, type Work } from '../work.ts'
import { deliveryStatements, textIn, webhookStatements } from './webhooks.ts'

interface WebhookChange<P = unknown> {
  readonly after: StoredWebhook
  readonly prepared: P
}

/** Reads a webhook under a lock. */
function webhookReader(dialect: SqlDialect) {
  const { LOCK } = webhookStatements(dialect)
  return function* (id: string): Work<StoredWebhook | undefined> {
    return isUuid(id) ? (yield* ask(LOCK, [id])).map(webhookRows.read)[0] : undefined
  }
}

export function webhookStorage(dialect: SqlDialect): Storage {
  const { INSERT, UPDATE, DELETE, BURY } = webhookStatements(dialect)
  const lock = webhookReader(dialect)
  function* update({ after }: WebhookChange): Work<undefined> {
    yield* ask(UPDATE, ...webhookRows.values(after))
  }
  return {
    *find({ target }): Work<Found> {
      return { thing: target === undefined ? undefined : yield* lock(String(target)) }
    },
    effects: {
      *create({ after, prepared }: WebhookChange<PreparedWebhook>): Work<EffectResult> {
        if ((yield* ask(INSERT, ...webhookRows.values(after))).length > 0) return undefined
        // The form was already sent, as by a double click: it shows the created webhook, unless that has another secret
        // since.
        const earlier = yield* lock(after.id)
        if (earlier?.secret === after.secret) return { earlier }
        const thing = { ...after, ...prepared.another }
        yield* ask(INSERT, ...webhookRows.values(thing))
        return { thing }
      },
      change: update,
      rotate: update,
      *remove({ after: { id } }: WebhookChange): Work<undefined> {
        yield* ask(DELETE, id)
        yield* ask(BURY, id)
      },
    },
  }
}

export function deliveryStorage(dialect: SqlDialect): Storage {
  const { DELIVERY, REDELIVER } = deliveryStatements(dialect)
  const lock = webhookReader(dialect)
  return {
    *find({ target, within: { webhook: owner = '' } = {} }): Work<Found | Refused> {
      const webhook = yield* lock(owner)
      if (webhook === undefined) return missing('webhook', owner)
      const number = String(target)
      const json = isNumber(number) ? textIn(yield* ask(DELIVERY, owner, Number(number))) : undefined
      return { thing: json === undefined ? undefined : { ...JSON.parse(json), webhook: owner }, known: { webhook } }
    },
    effects: {
      *redeliver({
        before,
      }: {
        readonly before: { readonly webhook: string; readonly number: number }
      }): Work<undefined> {
        yield* ask(REDELIVER, before.webhook, before.number)
      },
    },
  }
}

const isNumber = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
