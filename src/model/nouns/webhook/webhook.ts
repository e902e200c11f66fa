import { fault } from '../../../values/faults/fault.ts'
import type { State } from '../../../values/guard.ts'
import { described, type Kind, nullable, type Read, userName } from '../../../values/kinds/kind.ts'
import { boolean, ordinal } from '../../../values/kinds/number.ts'
import { choice, text, textFault } from '../../../values/kinds/text.ts'
import { instant } from '../../../values/kinds/time.ts'
import { uuid } from '../../../values/kinds/uuid.ts'
import { optional, withDefault } from '../../../values/members.ts'
import { bySchema } from '../../declaration/by-schema.ts'
import {
  assigned,
  createMembers,
  type DocumentFields,
  given,
  patchMembers,
  secret,
  type ThingOf,
} from '../../declaration/field.ts'
import { defineResource } from '../../declaration/resource.ts'
import type { Schema } from '../../declaration/schema.ts'
import { eventTypes } from '../event-types.ts'

const LONGEST_URL = 2000

const readUrl = (raw: unknown): Read<string> => {
  if (typeof raw !== 'string') return fault('type', { wants: 'string' })
  const bad = textFault(raw)
  if (bad !== undefined) return { fault: bad }
  // They would be dropped, and another address called.
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
export const subscribableTypes = bySchema((schema: Schema): readonly string[] => [
  ...schema.resources.map(({ name }) => name + ALL_OF),
  ...eventTypes(schema),
])

function readTypes(raw: unknown, known: readonly unknown[] | undefined): Read<readonly string[]> {
  if (!Array.isArray(raw)) return fault('type', { wants: 'event-types' })
  const unknown = raw.find((each) => known?.includes(each) === false)
  if (unknown !== undefined) return fault('unknown-event-type', { type: shown(unknown) })
  return raw.length === 0 ? fault('blank') : { value: [...new Set(raw as string[])] }
}

/** A text as sent, so that the sentence quotes it; anything else as JSON. */
const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).slice(0, 64).toWellFormed()

/** The words of a text. */
const listedIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter((each) => each !== '')

/** Types as stored: a later schema may not know them all. */
const typeList: Kind<readonly string[]> = typesAmong(undefined)

/** The types that can be subscribed to. */
export const webhookTypes = bySchema((schema: Schema): Kind<readonly string[]> => typesAmong(subscribableTypes(schema)))

function typesAmong(known: readonly string[] | undefined): Kind<readonly string[]> {
  const items = known === undefined ? { type: 'string' } : { type: 'string', enum: known }
  const read = (raw: unknown) => readTypes(raw, known)
  return {
    name: 'text',
    schema: { type: 'array', items, minItems: 1 },
    nullable: false,
    read,
    readText: (text) => read(listedIn(text)),
    write: (value) => value,
  }
}

/** Names of fields; the resource that the types name decides which exist. */
const fieldList: Kind<readonly string[]> = {
  name: 'text',
  schema: { type: 'array', items: { type: 'string', maxLength: 100 }, minItems: 1, maxItems: 100 },
  nullable: false,
  read: readNames,
  readText: (text) => readNames(listedIn(text)),
  write: (value) => value,
}

function readNames(raw: unknown): Read<readonly string[]> {
  if (!Array.isArray(raw) || !raw.every((each) => typeof each === 'string')) return fault('type', { wants: 'list' })
  if (raw.length > 100) return fault('too-many-names', { max: 100 })
  return raw.length === 0 ? fault('blank') : { value: [...new Set(raw as string[])] }
}

/** A subscription to events. */
export const webhook = defineResource({
  feed: 'audit',
  name: 'webhook',
  plural: 'webhooks',
  path: '/webhooks',
  key: 'id',
  fields: {
    id: assigned(uuid),
    url: given(webhookUrl),
    /** Types of events, or all of a resource, such as `deal.*`; null for every type. */
    types: given(nullable(typeList), null),
    /** A query about the thing after the change, as in an address. */
    where: given(
      nullable(
        described(text({ min: 1, max: 4000 }), {
          description: 'A condition on the thing after the change, as in an address; needs `types` of one resource.',
        }),
      ),
      null,
    ),
    /** Only events that changed one of these fields. */
    changed: given(
      nullable(
        described(fieldList, {
          description: 'Fields: only events that changed one of them; needs `types` of one resource.',
        }),
      ),
      null,
    ),
    paused: given(boolean, false),
    /** The user who made it, whom `me` names in `where`. */
    owner: assigned(nullable(userName(text({ min: 1, max: 200 })))),
    status: assigned(choice(['active', 'ended'])),
    endedAt: assigned(nullable(instant)),
    endedBecause: assigned(nullable(text({ min: 1, max: 200 }))),
    /** Until then the previous secret signs deliveries, too. */
    previousSecretUntil: assigned(nullable(instant)),
    createdAt: assigned(instant),
    updatedAt: assigned(instant),
    revision: assigned(ordinal),
    secret: secret(text({ min: 1, max: 100 })),
    previousSecret: secret(nullable(text({ min: 1, max: 100 }))),
  },
  unfiltered: ['types', 'changed'],
  kindsIn: (schema: Schema) => ({
    types: nullable(
      described(webhookTypes(schema), { description: 'Null for every type; `deal.*` is every type that begins so.' }),
    ),
  }),
  roles: { reads: 'admin', writes: 'admin' },
  once: { secret: { type: 'string', maxLength: 100, description: 'Shown once, when it is made.' } },
  state: webhookState,
  title: ({ url }) => ({ text: 'Webhook to {address}', with: { address: url } }),
})

/** The state before revision 2 began at the creation; for later revisions its beginning is unknown. */
export function webhookState({ revision, updatedAt, createdAt }: State & { readonly createdAt: string }): State {
  return { revision, updatedAt, previousAt: revision === 1 ? null : revision === 2 ? createdAt : updatedAt }
}

/** As stored, with its secrets; a secret is shown once, when it is created. */
export type StoredWebhook = ThingOf<typeof webhook.fields>
export type Webhook = ThingOf<DocumentFields<typeof webhook.fields>>

/** A new one subscribes to the types of its time. */
export const webhookMembers = bySchema((schema: Schema) => ({
  ...createMembers(webhook.fields),
  types: withDefault(nullable(webhookTypes(schema)), null),
}))

export const webhookPatch = bySchema((schema: Schema) => ({
  ...patchMembers(webhook.fields),
  types: optional(nullable(webhookTypes(schema))),
}))

/** The types of events that a webhook subscribes to; null for every type. */
export const typesOf = ({ types }: Pick<StoredWebhook, 'types'>, schema: Schema): readonly string[] | null =>
  types?.flatMap((type) =>
    type.endsWith(ALL_OF) ? eventTypes(schema).filter((each) => each.startsWith(type.slice(0, -1))) : [type],
  ) ?? null

/** The secrets that sign a delivery: for a while after a rotation, the previous one too. */
export const secretsAt = (
  { secret: current, previousSecret, previousSecretUntil }: StoredWebhook,
  now: string,
): readonly string[] =>
  previousSecret !== null && (previousSecretUntil ?? '') > now ? [current, previousSecret] : [current]
