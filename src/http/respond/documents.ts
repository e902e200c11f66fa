import { say } from '../../languages/say.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import type { Key, Thing } from '../../model/declaration/resource.ts'
import type { Operation, Resource, Schema } from '../../model/declaration/schema.ts'
import type { Command } from '../../model/intent/intent.ts'
import {
  allowedOperations,
  isDeletion,
  operationNamed,
  referrersOf,
  resourceNamed,
} from '../../model/schema/resources.ts'
import type { Document } from '../../representations/document.ts'
import type { Stored, StoredEvent } from '../../store/port/desk.ts'
import { readRefusal } from '../../store/rows/command.ts'
import { parseExact } from '../../values/json/exact-numbers.ts'
import { mayOnlyRead } from '../../values/role.ts'
import type { Addresses } from '../contract/addresses.ts'
import type { Call } from '../contract/endpoint.ts'
import { hasForm } from '../contract/form.ts'
import { refusalProblem } from '../contract/problems/refusals.ts'
import { problemMembers } from '../contract/problems/told-problem.ts'

// Outcomes and stored things become documents here: only the links are added.

/** The operations that links offer: none to readers, those that grants allow, or all. */
export type Offered = 'all' | 'none' | ((operation: Operation) => boolean)

/** With links to the operations that the thing allows now, of those that are offered. */
export function thingDocument(
  resource: Resource,
  thing: Stored,
  addresses: Addresses,
  offered: Offered = 'all',
): Document {
  return {
    title: () => titleIn(resource, thing.json),
    kind: 'resource',
    item: resource.name,
    json: `${thing.json.slice(0, -1)},"links":{${linksOf(resource, thing, addresses, offered, undefined)}}}`,
  }
}

/** A thing in a past state: its own address names its revision, and it offers no operations. */
export function pastDocument(resource: Resource, thing: Stored, addresses: Addresses): Document {
  const { id, revision, json } = thing
  const links = linksOf(resource, thing, addresses, 'none', addresses.past(resource, id, revision))
  return {
    title: () => titleIn(resource, json),
    kind: 'resource',
    item: resource.name,
    json: `${json.slice(0, -1)},"links":{${links},"latest":"${addresses.thing(resource, id)}"}}`,
  }
}

/** The part of an address that names a thing: its id, or another unique value. */
export const keyInAddress = ({ addressedBy = 'id' }: Resource, thing: { readonly [field: string]: unknown }): Key =>
  (thing[addressedBy] ?? thing.id) as Key

/** The title of a thing. */
export function titleIn({ name }: Resource, json: string): string {
  const thing = JSON.parse(json) as { readonly name?: string; readonly title?: string; readonly id: Key }
  return thing.name ?? thing.title ?? `${name} ${thing.id}`
}

function linksOf(
  resource: Resource,
  thing: Stored,
  addresses: Addresses,
  offered: Offered,
  past: string | undefined,
): string {
  const self = addresses.thing(resource, keyInAddress(resource, thing))
  const { related, referring, isOperable, hasItems } = linksKnown(resource)
  let links = `"self":"${past ?? self}","collection":"${addresses.base}${resource.path}","history":"${self}/history"`
  if (hasItems) links += `,"items":"${self}/items"`
  if (isOperable) links += `,"actions":"${self}/actions"`
  for (const { field, to } of related) {
    const id = thing[field]
    if (id !== null && id !== undefined) links += `,"${to.name}":"${addresses.thing(to, id as Key)}"`
  }
  for (const { path, name, field } of referring) links += `,"${name}":"${addresses.base}${path}?${field}=${thing.id}"`
  if (!isOperable) return links
  const now = (thing.deletedAt as string | null | undefined) ?? ''
  const allowed = offered === 'none' ? NO_OPERATIONS : allowedOperations(resource, thing as unknown as Thing, now)
  const operations = aroundSelf(typeof offered === 'function' ? allowed.filter(offered) : allowed).join(self)
  return `${links},"operations":{${operations}}`
}

const NO_OPERATIONS: readonly Operation[] = []

/** The common part of the links of all things of a resource. */
const linksKnown = bySchema((resource: Resource) => ({
  related: resource.references.map(({ field, to }) => ({ field, to: resourceNamed(resource.schema, to) })),
  referring: referrersOf(resource).map(({ from, field }) => ({ name: from.plural, path: from.path, field })),
  isOperable: hasForm(resource, 'verb'),
  hasItems: resource.savedQuery !== undefined,
}))

/** The links to operations, cut at the thing's address: every reader gets them, and joining is quick. */
const aroundSelf = bySchema((operations: readonly Operation[]): readonly string[] =>
  operations
    .map(({ name }) => `"${name}":"\n/${name}"`)
    .join(',')
    .split('\n'),
)

export function entryDocument(
  resource: Resource,
  event: StoredEvent,
  subject: Key,
  noun: string,
  addresses: Addresses,
): Document {
  const about = addresses.thing(resource, subject)
  const operation = operationNamed(event.operation, resource)
  const isGone = operation !== undefined && isDeletion(operation)
  const links = {
    self: `${about}/${noun}/${event.revision}`,
    [resource.name]: about,
    ...(!isGone && { past: addresses.past(resource, subject, event.revision) }),
  }
  return {
    title: say(operation?.title ?? event.operation),
    kind: 'resource',
    item: 'entry',
    json: withLinks(event.entry, links),
  }
}

export function commandDocument(command: Command, addresses: Addresses, schema: Schema, forReader = false): Document {
  const about = addresses.thing(resourceNamed(schema, command.resource), command.subject)
  const links = { self: addresses.command(command.id), [command.resource]: about }
  const json = JSON.stringify({ ...commandMembers(command, addresses, schema, forReader), links })
  return { title: say('Command {id}', { id: command.id }), kind: 'resource', item: 'command', json }
}

/** A stored command as an item of a collection. */
export function presentCommand(json: string, call: Call): string {
  const { subject, refusal, ...kept } = parseExact(json) as Command & { readonly subject: string }
  const { kinds } = resourceNamed(call.schema, kept.resource)
  const command = {
    ...kept,
    subject: kinds.id?.name === 'integer' ? Number(subject) : subject,
    refusal: refusal && readRefusal(JSON.stringify(refusal)),
  }
  return JSON.stringify(commandMembers(command, call.service.addresses, call.schema, mayOnlyRead(call)))
}

/** A command without its links. */
export function commandMembers(command: Command, addresses: Addresses, schema: Schema, forReader: boolean) {
  const { id, resource, subject, action, params, status, refusal, revision, decidedAt } = command
  const shown = refusal && forReader && 'allowed' in refusal ? { ...refusal, allowed: [] } : refusal
  const problem = shown && { problem: problemMembers(refusalProblem(shown, schema), addresses) }
  return { id, [resource]: subject, action, params, status, ...problem, revision, decidedAt }
}

const withLinks = (json: string, links: { readonly [name: string]: string }): string =>
  `${json.slice(0, -1)},"links":${JSON.stringify(links)}}`
