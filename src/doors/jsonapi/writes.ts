import { find, findLive } from '../../http/ask/find.ts'
import { readRelated, referredTo } from '../../http/ask/related.ts'
import { type Problem, placedAnew, type RefusedCall } from '../../http/contract/problems/problem.ts'
import type { Applied, Write } from '../../http/contract/write.ts'
import { isReference } from '../../http/write/intent.ts'
import { apply } from '../../http/write/write.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { creationOf, isDeleted, type Relation } from '../../model/schema/resources.ts'
import { answerBounds } from '../../values/bounds.ts'
import { reason } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { camelCase } from '../../values/letter-case.ts'
import type { DoorCall, DoorResult } from '../door.ts'
import { writtenHeaders, writtenTag } from '../kit/tags.ts'
import { identifierOf, resourceDocument } from './documents.ts'
import { document, linkageText, readOnlyShape } from './reads.ts'
import { addressOf, keyFrom } from './resource-type.ts'
import type { SentDocument } from './sent-document.ts'
import {
  fromOtherSide,
  readLinkageChange,
  readResource,
  type SentResource,
  unsupportedChange,
} from './sent-resource.ts'

/** POST /jsonapi/deals */
export async function answerCreation(
  type: Resource,
  { data, meta }: SentDocument,
  call: DoorCall,
): Promise<DoorResult> {
  const sent = readResource(data, { type, needs: 'type', pointer: '/data', meta })
  if ('problem' in sent) return sent
  return change(type, sent, { change: operationChange(creationOf(type), sent) }, call, 201)
}

/** PATCH /jsonapi/deals/{id} */
export async function answerUpdate(
  type: Resource,
  id: string,
  { data, meta }: SentDocument,
  call: DoorCall,
): Promise<DoorResult> {
  const target = keyFrom(type, id)
  const sent = readResource(data, { type, target, needs: 'identity', pointer: '/data', meta })
  return 'problem' in sent ? sent : change(type, sent, { target, change: { attributes: sent.members } }, call)
}

/** DELETE /jsonapi/deals/{id}, POST /jsonapi/deals/{id}/hold */
export async function answerOperation(
  type: Resource,
  id: string,
  operation: Operation,
  { data, meta }: SentDocument,
  call: DoorCall,
): Promise<DoorResult> {
  const target = keyFrom(type, id)
  const alike = [operation.name, camelCase(operation.name)]
  const sent = readResource(data, { type, alike, target, needs: 'nothing', pointer: '/data', meta })
  return 'problem' in sent ? sent : change(type, sent, { target, change: operationChange(operation, sent) }, call)
}

/** PATCH /jsonapi/deals/{id}/relationships/customer */
export async function answerLinkageChange(
  type: Resource,
  id: string,
  relation: Relation,
  { data, meta }: SentDocument,
  call: DoorCall,
): Promise<DoorResult> {
  const sent = readLinkageChange(data, relation, { type, pointer: '/data', meta })
  if ('problem' in sent) return sent
  const applied = await perform(type, sent, { target: keyFrom(type, id), change: { attributes: sent.members } }, call)
  if ('problem' in applied) return applied
  const { intent, outcome } = applied
  const { thing } = outcome
  if (outcome.removed) return { status: 204, headers: writtenHeaders(intent, outcome) }
  const self = addressOf(call.service.addresses, type, thing.id)
  const links = { self: `${self}/relationships/${relation.name}`, related: `${self}/${relation.name}` }
  const content = linkageText(relation.of, referredTo(thing, relation), links)
  return document(content, 200, { ...writtenHeaders(intent, outcome), ...writtenTag(applied, content, call) })
}

export const operationChange = ({ words }: Operation, { members }: SentResource): Write['change'] => ({
  action: words.action,
  params: members,
})

/** A change, answered with the resulting resource. */
async function change(
  type: Resource,
  sent: SentResource,
  asked: Pick<Write, 'target' | 'change'>,
  call: DoorCall,
  status = 200,
): Promise<DoorResult> {
  const shape = readOnlyShape(type, call.query)
  if ('problem' in shape) return shape
  const applied = await perform(type, sent, asked, call)
  if ('problem' in applied) return applied
  const { intent, outcome } = applied
  const { thing } = outcome
  const headers = writtenHeaders(intent, outcome)
  if (outcome.removed || isDeleted(thing)) return { status: 204, headers }
  const tried = intent.dryRun && !outcome.replayed
  const content = await resourceDocument({ type, json: thing.json, tried }, shape, {}, call)
  if (tried) return document(content, 200, headers)
  const location = status === 201 && { location: addressOf(call.service.addresses, type, thing.id) }
  return document(content, status, { ...headers, ...writtenTag(applied, content, call), ...location })
}

async function perform(
  type: Resource,
  sent: SentResource,
  asked: Pick<Write, 'target' | 'change'>,
  call: DoorCall,
): Promise<Applied | RefusedCall> {
  const changed = await changedLinkage(type, sent, asked.target, call)
  if (changed !== undefined) return { problem: changed }
  const applied = await apply({ resource: type.name, ...asked, ...sent.meta }, call)
  return 'problem' in applied ? { problem: await explained(applied.problem, sent, call) } : applied
}

/** The refusal of linkage to many, which may only be sent back as it was read: changed, it is set at its other side. */
export async function changedLinkage(
  type: Resource,
  { linkedMany }: SentResource,
  target: unknown,
  call: DoorCall,
): Promise<Problem | undefined> {
  if (linkedMany.length === 0) return undefined
  const isThere = target !== undefined && !isReference(target)
  const found = isThere ? await findLive(type, target, call) : undefined
  // It is refused for that.
  if (found !== undefined && 'problem' in found) return undefined
  for (const { relation, data, pointer } of linkedMany) {
    const things = found === undefined ? [] : await linkedNow(relation, found.thing.id, call)
    const isSame = Array.isArray(data) && new Set(data.map(nameOf)).symmetricDifference(new Set(things)).size === 0
    if (!isSame) return unsupportedChange(pointer, fromOtherSide(relation))
  }
  return undefined
}

/** The things of a relation to many that are shown where it is included. */
async function linkedNow(relation: Relation, key: Key, call: DoorCall): Promise<readonly string[]> {
  const found = (await readRelated(relation, [key], call)).get(String(key)) ?? []
  return found
    .slice(0, answerBounds.related)
    .map((json) => nameOf(identifierOf(relation.of.plural, (JSON.parse(json) as { readonly id: Key }).id)))
}

const nameOf = (identifier: unknown): string => {
  const { type, id } = isObject(identifier) ? identifier : {}
  return JSON.stringify([type, id])
}

/**
 * A refusal with its faults at the positions in the request. A related resource that does not exist is 404, as JSON:API
 * says.
 */
export async function explained(
  problem: Problem,
  { linked, pointer }: SentResource,
  call: Pick<DoorCall, 'desk'>,
): Promise<Problem> {
  const { errors = [], code } = problem
  if (errors.length === 0) return problem
  const fields = errors.map(({ at }) => at.pointer?.slice(1) ?? '')
  if (code === 'invalid-body' && fields.every((field) => linked.has(field))) {
    for (const field of fields) {
      const link = linked.get(field)
      if (link === undefined || isReference(link.key)) continue
      const found = await find(link.relation.of, link.key, call)
      if (!('problem' in found)) continue
      const why = reason('not-found', { on: link.relation.of.name, id: String(link.key) })
      return { ...found.problem, errors: [{ ...why, at: { pointer: link.pointer } }] }
    }
  }
  const place = (field: string): string => linked.get(field)?.pointer ?? `${pointer}/attributes${field && `/${field}`}`
  return placedAnew(problem, (at) => (at.pointer === undefined ? at : { ...at, pointer: place(at.pointer.slice(1)) }))
}
