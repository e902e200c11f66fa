import type { Command } from '../../model/perform/intent.ts'
import type { Key, Resource } from '../../model/resource.ts'
import { resourceNamed } from '../../model/resources.ts'
import { type Webhook, webhookToJson } from '../../model/webhook/webhook.ts'
import type { Document } from '../../representations/document.ts'
import type { Outcome, Stored, StoredEvent } from '../../store/port/store.ts'
import type { Addresses } from '../addresses.ts'

// What a dry run shows of things that do not exist: no id, and no link that would lead nowhere. decisions/0009

/** Whether the thing of a write does not exist, because only a dry run makes it. A repeat shows what was made. */
export const isDraft = (
  { dryRun, target }: { readonly dryRun?: unknown; readonly target?: unknown },
  { replayed }: Pick<Outcome, 'replayed'>,
): boolean => dryRun === true && target === undefined && !replayed

export function thingDraft(resource: Resource, thing: Stored, addresses: Addresses): Document {
  const related = resource.references.flatMap(({ field, to }) => {
    const id = thing[field]
    return id === null || id === undefined ? [] : [[to, addresses.thing(resourceNamed(to), id as Key)] as const]
  })
  const links = { collection: addresses.base + resource.path, ...Object.fromEntries(related) }
  return draft(resource.name, thing.json, ['id'], links)
}

/** The members alone, for protocols that write links in their own way or not at all. */
export const membersDraft = ({ json }: Stored): string => JSON.stringify(membersOf(json, ['id']))

export const entryDraft = (resource: Resource, event: StoredEvent, subject: Key, addresses: Addresses): Document =>
  draft('entry', event.entry, ['commandId'], { [resource.name]: addresses.thing(resource, subject) })

/** Nothing was decided, so there is neither a status nor an instant. */
export function commandDraft(command: Command, isNew: boolean, addresses: Addresses): Document {
  const { resource, subject, action, params, revision } = command
  const json = JSON.stringify({ [resource]: subject, action, params, revision })
  const links = isNew ? {} : { [resource]: addresses.thing(resourceNamed(resource), subject) }
  return draft('command', json, isNew ? [resource] : [], links)
}

export const webhookDraft = (webhook: Webhook, addresses: Addresses): Document =>
  draft('webhook', webhookToJson(webhook), ['id'], { collection: addresses.webhooks })

function draft(
  item: string,
  json: string,
  without: readonly string[],
  links: { readonly [relation: string]: string },
): Document {
  return {
    title: 'What would result',
    kind: 'resource',
    item,
    json: JSON.stringify({ ...membersOf(json, without), links }),
  }
}

function membersOf(json: string, without: readonly string[]): object {
  return Object.fromEntries(Object.entries(JSON.parse(json) as object).filter(([name]) => !without.includes(name)))
}
