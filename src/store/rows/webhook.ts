import { type StoredWebhook, webhookToJson } from '../../model/webhook/webhook.ts'

/** A webhook as it is kept, its document last. Its place in the feed is not of the webhook itself. */
export const webhookColumns = [
  'id',
  'url',
  'types',
  'status',
  'ended_at',
  'ended_because',
  'previous_secret_until',
  'created_at',
  'updated_at',
  'revision',
  'secret',
  'previous_secret',
  'doc',
] as const

export const webhookValues = (webhook: StoredWebhook): readonly (string | number | null)[] => [
  webhook.id,
  webhook.url,
  webhook.types && JSON.stringify(webhook.types),
  webhook.status,
  webhook.endedAt,
  webhook.endedBecause,
  webhook.previousSecretUntil,
  webhook.createdAt,
  webhook.updatedAt,
  webhook.revision,
  webhook.secret,
  webhook.previousSecret,
  webhookToJson(webhook),
]

export function readWebhook(row: readonly unknown[]): StoredWebhook {
  const text = (value: unknown): string | null => (value === null ? null : String(value))
  const [id, url, types, status, endedAt, endedBecause, previousSecretUntil, createdAt, updatedAt, revision] = row
  const [secret, previousSecret] = row.slice(10)
  return {
    id: String(id),
    url: String(url),
    types: types === null ? null : (JSON.parse(String(types)) as readonly string[]),
    status: status === 'active' ? 'active' : 'ended',
    endedAt: text(endedAt),
    endedBecause: text(endedBecause),
    previousSecretUntil: text(previousSecretUntil),
    createdAt: String(createdAt),
    updatedAt: String(updatedAt),
    revision: Number(revision),
    secret: String(secret),
    previousSecret: text(previousSecret),
  }
}
