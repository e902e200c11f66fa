import { searchThings } from '../../http/ask/search-things.ts'
import { invalidBody, type RefusedCall } from '../../http/contract/problems/problem.ts'
import type { Write } from '../../http/contract/write.ts'
import { readQueryMembers } from '../../http/request/query-body.ts'
import { thingDraft } from '../../http/respond/drafts.ts'
import { guardsMany } from '../../http/write/intent.ts'
import { apply } from '../../http/write/write.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { numberAsText } from '../../model/perform/target.ts'
import { collectionOf } from '../../queries/collections.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { type Fault, reason } from '../../values/faults/fault.ts'
import { unpacked } from '../../values/json/texts.ts'
import { unknownMembers } from '../../values/members.ts'
import type { DoorCall } from '../door.ts'
import { documentOf, readList, readThing } from './reads.ts'

// The calls of protocols that call by name: every parameter is a member of one object.

/** The result as JSON text, or the problem. */
export type NamedResult = { readonly json: string } | RefusedCall

export type NamedParams = { readonly [name: string]: unknown }

/** An operation: `id`, its parameters, `commandId`, `expectedRevision` and `dryRun`. A removed thing is null. */
export async function callOperation(operation: Operation, params: NamedParams, call: DoorCall): Promise<NamedResult> {
  const { on: resource } = operation
  const { commandId, expectedRevision, dryRun, ...sent } = params
  const applied = await apply({ ...writeByName(operation, sent), commandId, expectedRevision, dryRun }, call)
  if ('problem' in applied) return applied
  const { thing, removed } = applied.outcome
  if (removed) return { json: 'null' }
  if (applied.isDraft) return { json: thingDraft(resource, thing, call.service.addresses).json }
  return { json: documentOf(resource, thing, call) }
}

/** The write of an operation with these members: `id` is its target, unless it is a creation. */
export function writeByName({ on, to, words }: Operation, sent: NamedParams): Write {
  if (to === 'nothing') return { resource: on.name, change: { action: words.action, params: sent } }
  const { id, ...params } = sent
  return { resource: on.name, target: id, change: { action: words.action, params } }
}

const WRITES = 'nothing'

/** A thing: `id`, `fields` and `expand`. */
export async function callGet(resource: Resource, { id, ...rest }: NamedParams, call: DoorCall): Promise<NamedResult> {
  const guarded = guardsMany(call, WRITES)
  if (guarded !== undefined) return { problem: guarded }
  const unknown = unknownMembers(rest, ['id', 'fields', 'expand'])
  const why = id === undefined ? reason('required') : numberAsText(id, resource)
  const faults = why === undefined ? unknown : [{ ...why, at: { pointer: '/id' } }, ...unknown]
  if (faults.length > 0) return invalidParams(faults)
  const asked = readQueryMembers(rest, call.schema)
  return 'problem' in asked ? asked : readThing(resource, id, call, asked.query)
}

/** A page of a collection: the members of a QUERY's content. */
export async function callList(resource: Resource, params: NamedParams, call: DoorCall): Promise<NamedResult> {
  const guarded = guardsMany(call, WRITES)
  if (guarded !== undefined) return { problem: guarded }
  const asked = readQueryMembers(params, call.schema)
  if ('problem' in asked) return asked
  const read = await readList(collectionOf(resource), asked.query, call)
  if ('problem' in read) return read
  const { page, cursors } = read
  const { hasMore, total } = page
  const rest = JSON.stringify({ hasMore, ...(total !== undefined && { total }), ...cursors })
  return { json: `{"items":[${unpacked(page.items).join()}],${rest.slice(1)}` }
}

/** Things of every kind: `q`. */
export async function callSearch(params: NamedParams, call: DoorCall): Promise<NamedResult> {
  const guarded = guardsMany(call, WRITES)
  if (guarded !== undefined) return { problem: guarded }
  const unknown = unknownMembers(params, [SEARCH])
  if (unknown.length > 0) return invalidParams(unknown)
  const { [SEARCH]: text } = params
  if (text !== undefined && typeof text !== 'string')
    return invalidParams([{ ...reason('type', { wants: 'string' }), at: { pointer: `/${SEARCH}` } }])
  const searched = await searchThings(text, call)
  return 'problem' in searched ? searched : { json: JSON.stringify({ items: searched.found }) }
}

export const invalidParams = (faults: readonly Fault[]): NamedResult => ({ problem: invalidBody(faults) })
