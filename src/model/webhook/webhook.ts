import { fault } from '../../values/faults/fault.ts'
import { type Kind, nullable, type Read } from '../../values/kinds/kind.ts'
import { textFault } from '../../values/kinds/text.ts'
import { required, withDefault } from '../../values/members.ts'
import { eventTypes } from '../event-types.ts'
import { resources } from '../resources.ts'

/** A subscription to events. */
export interface Webhook {
  readonly id: string
  readonly url: string
  /** Types of events, or all of a resource, such as `deal.*`; null for every type. */
  readonly types: readonly string[] | null
  readonly status: 'active' | 'ended'
  readonly endedAt: string | null
  readonly endedBecause: string | null
  /** Until then the previous secret signs deliveries, too. */
  readonly previousSecretUntil: string | null
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
}

/** As stored, with its secrets; a secret is shown once, when it is made. */
export interface StoredWebhook extends Webhook {
  readonly secret: string
  readonly previousSecret: string | null
}

const LONGEST_URL = 2000

const readUrl = (raw: unknown): Read<string> => {
  if (typeof raw !== 'string') return fault('type', { wants: 'string' })
  const bad = textFault(raw)
  if (bad !== undefined) return { fault: bad }
  // These would be left out, and another address be called.
  const url = /[\t\n\r]/.test(raw) ? null : URL.parse(raw)
  if (url === null) return fault('malformed', { wants: 'url' })
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return fault('malformed', { wants: 'web-address' })
  if (url.username !== '' || url.password !== '') return fault('malformed', { wants: 'url-without-credentials' })
  if (url.hash !== '') return fault('malformed', { wants: 'url-without-fragment' })
  return url.href.length > LONGEST_URL ? fault('too-long', { max: LONGEST_URL }) : { value: url.href }
}

/** Normalized by the URL standard, so that every spelling of an address is the same. */
export const webhookUrl: Kind<string> = {
  name: 'text',
  schema: { type: 'string', format: 'uri', maxLength: LONGEST_URL },
  nullable: false,
  read: readUrl,
  readText: readUrl,
  write: (value) => value,
}

const ALL_OF = '.*'

/** The types that a webhook can subscribe to. */
export const subscribableTypes: readonly string[] = [...resources.map(({ name }) => name + ALL_OF), ...eventTypes]

const known = new Set<unknown>(subscribableTypes)

function readTypes(raw: unknown): Read<readonly string[]> {
  if (!Array.isArray(raw)) return fault('type', { wants: 'event-types' })
  const unknown = raw.find((each) => !known.has(each))
  if (unknown !== undefined) return fault('unknown-event-type', { type: shown(unknown) })
  return raw.length === 0 ? fault('blank') : { value: [...new Set(raw as string[])] }
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 64)

export const webhookTypes: Kind<readonly string[]> = {
  name: 'text',
  schema: { type: 'array', items: { type: 'string', enum: subscribableTypes }, minItems: 1 },
  nullable: false,
  read: readTypes,
  readText: (text) => readTypes(text.split(/[\s,]+/).filter((each) => each !== '')),
  write: (value) => value,
}

export const webhookMembers = { url: required(webhookUrl), types: withDefault(nullable(webhookTypes), null) }

export function webhookToJson(webhook: Webhook): string {
  const { id, url, types, status, endedAt, endedBecause, previousSecretUntil, createdAt, updatedAt, revision } = webhook
  return JSON.stringify({
    id,
    url,
    types,
    status,
    endedAt,
    endedBecause,
    previousSecretUntil,
    createdAt,
    updatedAt,
    revision,
  })
}

/** The types of events that a webhook subscribes to; null for every type. */
export const typesOf = ({ types }: Pick<Webhook, 'types'>): readonly string[] | null =>
  types?.flatMap((type) =>
    type.endsWith(ALL_OF) ? eventTypes.filter((each) => each.startsWith(type.slice(0, -1))) : [type],
  ) ?? null

/** The secrets that sign a delivery: for a while after a rotation, the previous one too. */
export const secretsAt = (webhook: StoredWebhook, now: string): readonly string[] => {
  const { secret, previousSecret, previousSecretUntil } = webhook
  return previousSecret !== null && (previousSecretUntil ?? '') > now ? [secret, previousSecret] : [secret]
}
