import type { StoredWebhook } from '../../model/webhook/webhook.ts'

/** A webhook as it is kept; its place in the feed and its document come behind. */
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
]

export function readWebhook(row: Readonly<Record<string, unknown>>): StoredWebhook {
  const text = (value: unknown): string | null => (value === null ? null : String(value))
  return {
    id: String(row.id),
    url: String(row.url),
    types: row.types === null ? null : (JSON.parse(String(row.types)) as readonly string[]),
    status: row.status === 'active' ? 'active' : 'ended',
    endedAt: text(row.ended_at),
    endedBecause: text(row.ended_because),
    previousSecretUntil: text(row.previous_secret_until),
    createdAt: String(row.created_at),
    updatedAt: String(row.updated_at),
    revision: Number(row.revision),
    secret: String(row.secret),
    previousSecret: text(row.previous_secret),
  }
}
