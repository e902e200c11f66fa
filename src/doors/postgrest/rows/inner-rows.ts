import type { RefusedCall } from '../../../http/contract/problems/problem.ts'
import { type Collection, fieldOf } from '../../../queries/collection.ts'
import { collectionOf } from '../../../queries/collections.ts'
import { type Condition, type Filter, isTerm, type Value } from '../../../queries/query.ts'
import { queryOf } from '../../../queries/query-string.ts'
import { answerBounds } from '../../../values/bounds.ts'
import { unpacked } from '../../../values/json/texts.ts'
import type { DoorCall } from '../../door.ts'
import { readList } from '../../kit/reads.ts'
import type { AskedRows } from '../asked/asked-rows.ts'
import type { ChosenMember, Embedding } from '../asked/select.ts'

type Asked = Pick<AskedRows, 'members' | 'conditions'>

/**
 * The rows of a query with `!inner`: its embeddings become conditions. One on the fields of the thing that a row refers
 * to is a condition on the row; any other names the rows whose related things match, which are looked up.
 */
export async function withInner<A extends Asked>(
  collection: Collection,
  asked: A,
  call: DoorCall,
): Promise<A | RefusedCall> {
  const members: ChosenMember[] = []
  const conditions = [...asked.conditions]
  for (const member of asked.members) {
    if (member.kind !== 'embedding') members.push(member)
    else {
      const inside = await withInner(collectionOf(member.relation.of), member, call)
      if ('problem' in inside) return inside
      members.push(inside)
      const condition = inside.inner ? await conditionOf(inside, collection, call) : []
      if ('problem' in condition) return condition
      conditions.push(...condition)
    }
  }
  return { ...asked, members, conditions }
}

async function conditionOf(embedding: Embedding, parent: Collection, call: DoorCall): Promise<Filter | RefusedCall> {
  const { relation, conditions } = embedding
  if (relation.kind === 'one') {
    const isThere: Condition = { field: fieldOf(parent, relation.field), operator: 'null', values: [false] }
    const above = conditions.map((each) => seenFrom(parent, relation.name, each))
    if (!above.includes(undefined)) return [isThere, ...above.filter((each) => each !== undefined)]
  }
  const found = await keysOf(embedding, call)
  if ('problem' in found) return found
  const field = fieldOf(parent, relation.kind === 'one' ? relation.field : 'id')
  return found.keys.length === 0 ? [NEVER] : [{ field, operator: 'eq', values: found.keys }]
}

const NEVER: Condition = { any: [], negated: false }

/** A condition on what rows refer to as one on the rows; undefined if it looks further. */
function seenFrom(parent: Collection, relation: string, condition: Condition): Condition | undefined {
  if (isTerm(condition)) {
    const field = parent.fields.get(`${relation}.${condition.field.name}`)
    return field && { ...condition, field }
  }
  const any = condition.any.map((filter) => filter.map((each) => seenFrom(parent, relation, each)))
  if (any.some((filter) => filter.includes(undefined))) return undefined
  return { ...condition, any: any.map((filter) => filter.filter((each) => each !== undefined)) }
}

/** The keys of the things that match, or of those that they refer to. */
async function keysOf(
  { relation, conditions }: Embedding,
  call: DoorCall,
): Promise<{ readonly keys: readonly Value[] } | RefusedCall> {
  const name = relation.kind === 'one' ? 'id' : relation.field
  const query = queryOf([
    ['group', name],
    ['limit', String(answerBounds.page)],
  ])
  const read = await readList(collectionOf(relation.of), query, call, { conditions })
  if ('problem' in read) return read
  if (read.page.hasMore) return { problem: { code: 'query-too-large', detail: tooMany } }
  const keys = unpacked(read.page.items).map((json) => (JSON.parse(json) as { readonly [name: string]: Value })[name])
  return { keys: keys.filter((key) => key !== null && key !== undefined) }
}

const tooMany = `!inner finds more than ${answerBounds.page / 1000},000 rows; filter the embedded things further.`
