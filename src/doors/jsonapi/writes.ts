import { find } from '../../http/ask/find.ts'
import type { RefusedCall } from '../../http/contract/problems/problem.ts'
import { invalidBody, type Problem, placedAnew } from '../../http/contract/problems/problem.ts'
import type { Applied, Write } from '../../http/contract/write.ts'
import { isReference } from '../../http/write/intent-of.ts'
import { apply, replayed } from '../../http/write/write.ts'
import type { Intent } from '../../model/perform/intent.ts'
import { isDeleted, type Relation } from '../../model/resources.ts'
import type { Operation } from '../../model/schema.ts'
import { reason } from '../../values/faults/fault.ts'
import { camelCase } from '../../values/letter-case.ts'
import type { DoorCall } from '../door.ts'
import { contentTag } from '../kit/tags.ts'
import { resourceDocument } from './documents.ts'
import { type Answered, document, linkageText, parametersFault, readOnlyShape, referredTo } from './reads.ts'
import { addressOf, keyFrom, type ResourceType, typeOf } from './resource-type.ts'
import { fromOtherSide, readLinkage, readResource, type SentResource, unsupportedChange } from './sent-resource.ts'
import type { Shape } from './shape.ts'

/** The document of a request; empty if none was sent. */
export type SentDocument = { readonly [name: string]: unknown }

/** POST /jsonapi/deals */
export async function answerCreation(type: ResourceType, sent: SentDocument, call: DoorCall): Promise<Answered> {
  const resource = readResource(sent.data, { type, needs: 'type', pointer: '/data', meta: sent.meta })
  if ('problem' in resource) return resource
  return change(type, call, resource, { change: operationChange(type.create, resource) }, 201)
}

/** PATCH /jsonapi/deals/{id} */
export async function answerUpdate(
  type: ResourceType,
  id: string,
  sent: SentDocument,
  call: DoorCall,
): Promise<Answered> {
  const target = keyFrom(type.resource, id)
  const resource = readResource(sent.data, { type, target, needs: 'identity', pointer: '/data', meta: sent.meta })
  if ('problem' in resource) return resource
  return change(type, call, resource, { target, change: { attributes: resource.members } })
}

/** DELETE /jsonapi/deals/{id}, POST /jsonapi/deals/{id}/hold */
export async function answerOperation(
  type: ResourceType,
  id: string,
  operation: Operation,
  sent: SentDocument,
  call: DoorCall,
): Promise<Answered> {
  const target = keyFrom(type.resource, id)
  const alike = [operation.name, camelCase(operation.name)]
  const resource = readResource(sent.data, { type, alike, target, needs: 'nothing', pointer: '/data', meta: sent.meta })
  if ('problem' in resource) return resource
  return change(type, call, resource, { target, change: operationChange(operation, resource) })
}

/** PATCH /jsonapi/deals/{id}/relationships/customer; relations to many are refused. */
export async function answerLinkageChange(
  type: ResourceType,
  id: string,
  relation: Relation,
  sent: SentDocument,
  call: DoorCall,
): Promise<Answered> {
  if (relation.kind === 'many') return { problem: unsupportedChange('/data', fromOtherSide(relation)) }
  const wrong = parametersFault(call)
  if (wrong !== undefined) return { problem: wrong }
  const of = typeOf(relation.of)
  const read = readLinkage(sent.data, relation, '/data')
  if ('fault' in read) return { problem: invalidBody([read.fault]) }
  const around = readResource(undefined, { type, needs: 'nothing', pointer: '/data', meta: sent.meta })
  if ('problem' in around) return around
  const { field, name } = relation
  const linked = new Map([[field, { relation, key: read.key, pointer: '/data' }]])
  const resource: SentResource = { ...around, members: { [field]: read.key }, linked }
  const target = keyFrom(type.resource, id)
  const applied = await perform(type, call, resource, { target, change: { attributes: resource.members } })
  if ('problem' in applied) return applied
  const { thing } = applied.outcome
  const self = addressOf(call.service.addresses, type.type, thing.id)
  const links = { self: `${self}/relationships/${name}`, related: `${self}/${name}` }
  const content = linkageText(of, referredTo(thing, relation), links)
  return document(content, 200, headersOf(applied, content, call))
}

export const operationChange = ({ words }: Operation, { members }: SentResource): Intent['change'] => ({
  action: words.action,
  params: members,
})

/** A change, answered by the resource as it is then. */
async function change(
  type: ResourceType,
  call: DoorCall,
  sent: SentResource,
  asked: Pick<Write, 'target' | 'change'>,
  status = 200,
): Promise<Answered> {
  const shape = readOnlyShape(type, call.query)
  if ('problem' in shape) return shape
  const applied = await perform(type, call, sent, asked)
  return 'problem' in applied ? applied : answerChanged(type, applied, shape, call, status)
}

async function answerChanged(
  type: ResourceType,
  applied: Applied,
  shape: Shape,
  call: DoorCall,
  status: number,
): Promise<Answered> {
  const { intent, outcome } = applied
  const { thing } = outcome
  if (outcome.removed || isDeleted(thing)) return { status: 204, headers: headersOf(applied, '', call) }
  if (intent.dryRun && !outcome.replayed) {
    const tried = { type, json: thing.json, tried: true }
    return document(await resourceDocument(tried, shape, {}, call), 200, headersOf(applied, '', call))
  }
  const location = status === 201 && { location: addressOf(call.service.addresses, type.type, thing.id) }
  const content = await resourceDocument({ type, json: thing.json }, shape, {}, call)
  return document(content, status, { ...headersOf(applied, content, call), ...location })
}

/** What a repeat answers may have changed since, and what is only tried is no state: neither has a tag. */
function headersOf(
  { intent: { dryRun }, outcome }: Applied,
  content: string,
  call: DoorCall,
): { readonly [name: string]: string } {
  const isTagged = !outcome.replayed && !dryRun && content !== ''
  return {
    ...replayed(outcome),
    ...(dryRun && { 'dry-run': 'true' }),
    ...(isTagged && { etag: contentTag(outcome.thing, content, call) }),
  }
}

async function perform(
  { resource }: ResourceType,
  call: DoorCall,
  sent: SentResource,
  asked: Pick<Write, 'target' | 'change'>,
): Promise<Applied | RefusedCall> {
  const applied = await apply({ resource: resource.name, ...asked, ...sent.meta }, call)
  return 'problem' in applied ? { problem: await explained(applied.problem, sent, call) } : applied
}

/** A refusal with its faults where they were sent. A related resource that does not exist is 404, as JSON:API says. */
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
