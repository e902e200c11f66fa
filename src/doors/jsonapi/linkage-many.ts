import { findLive } from '../../http/ask/find.ts'
import { referredTo } from '../../http/ask/related.ts'
import {
  invalidBody,
  type Problem,
  placedAnew,
  type RefusedCall,
  wrongMember,
} from '../../http/contract/problems/problem.ts'
import type { Write } from '../../http/contract/write.ts'
import { guardsMany } from '../../http/write/intent.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Relation } from '../../model/schema/resources.ts'
import { collectionOf } from '../../queries/collections.ts'
import { queryOf } from '../../queries/query-string.ts'
import { equals } from '../../queries/term.ts'
import { answerBounds, batchBounds } from '../../values/bounds.ts'
import { type Fault, reason } from '../../values/faults/fault.ts'
import { unpacked } from '../../values/json/texts.ts'
import type { DoorCall, DoorResult } from '../door.ts'
import { readList } from '../kit/reads.ts'
import { writtenHeaders } from '../kit/tags.ts'
import { writeParts } from '../kit/write-parts.ts'
import { keyFrom } from './resource-type.ts'
import type { SentDocument } from './sent-document.ts'
import { readLinkage, readResource } from './sent-resource.ts'

/**
 * POST, DELETE and PATCH …/relationships/deals: adds, removes or replaces. The related things have the field of the
 * relationship, so each of them is changed, all in one commit or none.
 */
export async function answerLinkageOfMany(
  type: Resource,
  id: string,
  relation: Relation,
  { data, meta }: SentDocument,
  call: DoorCall,
): Promise<DoorResult> {
  const guarded = guardsMany(call, 'meta')
  if (guarded !== undefined) return { problem: guarded }
  const around = readResource(undefined, { type, needs: 'nothing', pointer: '/data', meta })
  if ('problem' in around) return around
  const { commandId, expectedRevision, dryRun } = around.meta
  if (expectedRevision !== undefined)
    return { problem: wrongMember('/meta/expectedRevision', reason('for-one-thing', { wants: 'meta' })) }
  const read = readIdentifiers(data, relation)
  if ('problem' in read) return read
  const found = await findLive(type, keyFrom(type, id), call)
  if ('problem' in found) return found
  const changes = await changesFor(read.keys, relation, found.thing.id, call)
  if ('problem' in changes) return changes
  const writes = changes.map(
    ({ key, to }, index): Write => ({
      ...{ resource: relation.of.name, target: key, change: { attributes: { [relation.field]: to } }, dryRun },
      ...(commandId !== undefined && { commandId: `${commandId}.${index}` }),
    }),
  )
  const outcomes = writes.length === 0 ? [] : await writeParts(writes, call)
  if ('problem' in outcomes) return outcomes
  for (const [index, outcome] of outcomes.entries()) {
    if ('problem' in outcome)
      return { problem: atIdentifier(outcome.problem, read.keys.indexOf(changes[index]?.key ?? '')) }
  }
  const done = outcomes.filter((each) => 'outcome' in each)
  return {
    status: 204,
    headers: writtenHeaders(
      { dryRun: done.some(({ intent }) => intent.dryRun) },
      { replayed: done.length > 0 && done.every(({ outcome }) => outcome.replayed) },
    ),
  }
}

function readIdentifiers(data: unknown, relation: Relation): { readonly keys: readonly Key[] } | RefusedCall {
  if (!Array.isArray(data)) return { problem: wrongMember('/data', reason('type', { wants: 'list' })) }
  if (data.length > batchBounds.commands) {
    const facts = { max: batchBounds.commands, count: data.length, wants: 'operations' }
    return { problem: wrongMember('/data', reason('too-many', facts)) }
  }
  const faults: Fault[] = []
  const keys = new Set<Key>()
  for (const [index, raw] of data.entries()) {
    const read = readLinkage(raw, relation, `/data/${index}`)
    if ('fault' in read) faults.push(read.fault)
    else if (read.key === null)
      faults.push({ ...reason('type', { wants: 'identifier' }), at: { pointer: `/data/${index}` } })
    else keys.add(read.key as Key)
  }
  return faults.length > 0 ? { problem: invalidBody(faults) } : { keys: [...keys] }
}

interface LinkChange {
  readonly key: Key
  readonly to: Key | null
}

/** A thing that is as it should be is not changed. */
async function changesFor(
  keys: readonly Key[],
  relation: Relation,
  id: Key,
  call: DoorCall,
): Promise<readonly LinkChange[] | RefusedCall> {
  if (call.method === 'POST') return keys.map((key) => ({ key, to: id }))
  if (call.method === 'PATCH') {
    const now = await linkedKeys(relation, id, call)
    if ('problem' in now) return now
    const lost = now.keys.filter((key) => !keys.includes(key)).map((key) => ({ key, to: null }))
    return [...lost, ...keys.filter((key) => !now.keys.includes(key)).map((key) => ({ key, to: id }))]
  }
  const lost: LinkChange[] = []
  for (const key of keys) {
    const found = await findLive(relation.of, key, call)
    if ('thing' in found && referredTo(found.thing, relation) === id) lost.push({ key, to: null })
  }
  return lost
}

async function linkedKeys(
  { of, field }: Relation,
  id: Key,
  call: DoorCall,
): Promise<{ readonly keys: readonly Key[] } | RefusedCall> {
  const collection = collectionOf(of)
  const query = queryOf([['limit', String(answerBounds.page)]])
  const read = await readList(collection, query, call, { scope: [equals(collection, field, id)] })
  if ('problem' in read) return read
  if (read.page.hasMore) return { problem: { code: 'query-too-large', detail: tooMany } }
  return { keys: unpacked(read.page.items).map((json) => (JSON.parse(json) as { readonly id: Key }).id) }
}

const tooMany = `More than ${answerBounds.page / 1000},000 things are related; add or remove some of them instead.`

/** A refusal at the identifier of its thing; one that the request leaves out is refused at the whole. */
const atIdentifier = (problem: Problem, index: number): Problem =>
  placedAnew(problem, (at) =>
    at.pointer === undefined ? at : { ...at, pointer: index === -1 ? '/data' : `/data/${index}` },
  )
