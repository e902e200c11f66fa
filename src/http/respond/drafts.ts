import type { Command, Intent } from '../../model/perform/intent.ts'
import type { Key } from '../../model/resource.ts'
import { operationNamed, resourceNamed } from '../../model/resources.ts'
import type { Resource, Schema } from '../../model/schema.ts'
import { webhook as declared, type StoredWebhook } from '../../model/webhook/webhook.ts'
import type { Document } from '../../representations/document.ts'
import type { Stored, StoredEvent } from '../../store/port/desk.ts'
import type { Outcome } from '../../store/port/store.ts'
import type { Json } from '../../values/kinds/kind.ts'
import type { Addresses } from '../contract/addresses.ts'

// What a dry run shows of things that do not exist: no id, and no link that would lead nowhere. decisions/0009

/** Whether the thing of a write does not exist, because only a dry run makes it. A repeat shows what was made. */
export const isDraft = (
  { dryRun, target }: { readonly dryRun?: unknown; readonly target?: unknown },
  { replayed }: Pick<Outcome, 'replayed'>,
): boolean => dryRun === true && target === undefined && !replayed

/** Whether a thing exists only in a dry run. */
type IsTried = (resource: string, id: unknown) => boolean

/** The things that some of these writes make, where all of them are only tried. */
export function triedAmong(
  writes: readonly (object | { readonly intent: Pick<Intent, 'resource' | 'target'>; readonly outcome: Outcome })[],
): IsTried {
  const made = new Set(
    writes.flatMap((each) => {
      if (!('outcome' in each) || each.outcome.kind !== 'applied') return []
      const { intent, outcome } = each
      return isDraft({ dryRun: true, target: intent.target }, outcome) ? [`${intent.resource} ${outcome.thing.id}`] : []
    }),
  )
  return (resource, id) => made.has(`${resource} ${id}`)
}

/** A thing's members without those that name what exists only in a dry run. */
export function withoutTried(
  { name, references }: Resource,
  members: { readonly [field: string]: Json },
  isTried: IsTried,
): { readonly [field: string]: Json } {
  const shown = Object.entries(members).filter(([field, value]) => {
    if (field === 'id') return !isTried(name, value)
    return !references.some((reference) => reference.field === field && isTried(reference.to, value))
  })
  return Object.fromEntries(shown)
}

/** What would result, without the things that are tried along with it. */
export function outcomeWithoutTried(resource: Resource, outcome: AppliedOutcome, isTried: IsTried): AppliedOutcome {
  const { thing, event } = outcome
  const json = JSON.stringify(withoutTried(resource, JSON.parse(thing.json), isTried))
  const tried = resource.references.filter(({ field, to }) => isTried(to, thing[field]))
  return {
    ...outcome,
    thing: { ...thing, ...Object.fromEntries(tried.map(({ field }) => [field, null])), json },
    event: event && { ...event, entry: entryWithoutTried(resource, event, isTried) },
  }
}

export type AppliedOutcome = Extract<Outcome, { kind: 'applied' }>

function entryWithoutTried(resource: Resource, { operation, entry }: StoredEvent, isTried: IsTried): string {
  const { params, ...others } = JSON.parse(entry) as { readonly params: object }
  const known = operationNamed(operation, resource)?.params ?? {}
  const shown = Object.entries(params).filter(([name, value]) => !isTried(known[name]?.kind.refersTo ?? '', value))
  return JSON.stringify({ ...others, params: Object.fromEntries(shown) })
}

export function thingDraft(resource: Resource, thing: Stored, addresses: Addresses): Document {
  const related = resource.references.flatMap(({ field, to }) => {
    const id = thing[field]
    return id === null || id === undefined
      ? []
      : [[to, addresses.thing(resourceNamed(resource.schema, to), id as Key)] as const]
  })
  const links = { collection: addresses.base + resource.path, ...Object.fromEntries(related) }
  return draft(resource.name, thing.json, ['id'], links)
}

/** The members alone, for protocols that write links in their own way or not at all. */
export const membersDraft = ({ json }: Stored): string => JSON.stringify(membersOf(json, ['id']))

export const entryDraft = (resource: Resource, event: StoredEvent, subject: Key, addresses: Addresses): Document =>
  draft('entry', event.entry, ['commandId'], { [resource.name]: addresses.thing(resource, subject) })

/** Nothing was decided, so there is neither a status nor an instant. */
export function commandDraft(command: Command, isNew: boolean, addresses: Addresses, schema: Schema): Document {
  const { resource, subject, action, params, revision } = command
  const json = JSON.stringify({ [resource]: subject, action, params, revision })
  const links = isNew ? {} : { [resource]: addresses.thing(resourceNamed(schema, resource), subject) }
  return draft('command', json, isNew ? [resource] : [], links)
}

export const webhookDraft = (webhook: StoredWebhook, addresses: Addresses): Document =>
  draft('webhook', declared.toJson(webhook), ['id'], { collection: addresses.webhooks })

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
