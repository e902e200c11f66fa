import type { ManagedIntent } from '../../../model/managed/managed-operation.ts'
import type { DeliveryFacts } from '../../../model/webhook/delivery.ts'
import type { PreparedWebhook } from '../../../model/webhook/operations.ts'
import type { StoredWebhook } from '../../../model/webhook/webhook.ts'
import { isUuid } from '../../../values/kinds/uuid.ts'
import { webhookRows } from '../../rows/managed/webhook.ts'
import type { SqlDialect } from '../../sql/dialect.ts'
import { type Keeper, type KeptBefore, missing } from '../keeper.ts'
import { ask, type Work } from '../work.ts'
import { deliveryStatements, textIn, webhookStatements } from './webhooks.ts'

export function webhookKeeper(dialect: SqlDialect): Keeper {
  const { INSERT, LOCK, UPDATE, DELETE, BURY } = webhookStatements(dialect)
  function* update(webhook: StoredWebhook): Work<StoredWebhook> {
    yield* ask(UPDATE, ...webhookRows.values(webhook))
    return webhook
  }
  return {
    *find({ target: { id } }) {
      if (id === undefined) return {}
      const [row] = isUuid(id) ? yield* ask(LOCK, [id]) : []
      return row === undefined ? missing('webhook', id) : webhookRows.read(row)
    },
    keep: {
      *create(webhook: StoredWebhook, { prepared }: ManagedIntent): Work<StoredWebhook | KeptBefore> {
        if ((yield* ask(INSERT, ...webhookRows.values(webhook))).length > 0) return webhook
        // The form was already sent, as by a double click: it shows the created webhook, unless that has another secret
        // since.
        const [known] = (yield* ask(LOCK, [webhook.id])).map(webhookRows.read)
        if (known?.secret === webhook.secret) return { before: known }
        const another = { ...webhook, ...(prepared as PreparedWebhook).another }
        yield* ask(INSERT, ...webhookRows.values(another))
        return another
      },
      change: update,
      rotate: update,
      *remove(webhook: StoredWebhook): Work<StoredWebhook> {
        yield* ask(DELETE, webhook.id)
        yield* ask(BURY, webhook.id)
        return webhook
      },
    },
  }
}

export function deliveryKeeper(dialect: SqlDialect): Keeper {
  const { find } = webhookKeeper(dialect)
  const { DELIVERY, REDELIVER } = deliveryStatements(dialect)
  return {
    *find(intent) {
      const { id = '', number = '' } = intent.target
      const webhook = yield* find(intent)
      if ('refused' in webhook) return webhook
      const known = isNumber(number) ? textIn(yield* ask(DELIVERY, id, Number(number))) : undefined
      return known === undefined ? missing('delivery', number) : { webhook, json: known }
    },
    keep: {
      *redeliver(json: string, { target }: ManagedIntent, { webhook }: DeliveryFacts): Work<string> {
        return textIn(yield* ask(REDELIVER, webhook.id, Number(target.number))) ?? json
      },
    },
  }
}

const isNumber = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
