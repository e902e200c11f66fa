import type { InUse, Refusal } from '../../model/declaration/refusal.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { isGranted } from '../../model/intent/grants.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import type { Desk } from '../../store/port/desk.ts'
import type { Outcome } from '../../store/port/store.ts'
import type { RefusedCall } from '../contract/problems/problem.ts'
import { refusalProblem } from '../contract/problems/refusals.ts'
import type { Decided } from '../contract/write.ts'

// The answer to a write says nothing of what its caller does not see. decisions/0078

type Applied = Extract<Outcome, { readonly kind: 'applied' }>

/** A decided write as its caller may see it. */
export async function asSeen(decided: Decided, desk: Desk): Promise<Decided | RefusedCall> {
  const { intent, outcome } = decided
  const resource = resourceNamed(desk.schema, intent.resource)
  if (!isGranted(resource)) return decided
  if (outcome.kind === 'refused') {
    const { refusal, replayed } = outcome
    const about = replayed ? subjectOf(refusal) : undefined
    if (about !== undefined && !(await isSeen(resource, about, desk))) return unseen(resource, about, desk)
    return { ...decided, outcome: { ...outcome, refusal: await refusalSeen(refusal, resource, desk) } }
  }
  const { thing, replayed } = outcome
  const isShown = desk.sees(resource, thing.json) && (!replayed || (await isSeen(resource, thing.id, desk)))
  if (isShown) return decided
  if (replayed && !isOwn(outcome, decided)) return unseen(resource, thing.id, desk)
  return { ...decided, outcome: { ...outcome, removed: true }, isOutOfSight: true }
}

/** A repeat of what somebody else did is about nothing. */
const unseen = ({ name }: Resource, id: Key, { schema }: Desk): RefusedCall => ({
  problem: refusalProblem({ code: 'not-found', resource: name, id: String(id) }, schema),
})

const isSeen = async (resource: Resource, id: Key, desk: Desk): Promise<boolean> =>
  (await desk.find(resource, id)) !== undefined

/** Whether the caller did what is repeated; nobody knows of a command that changed nothing. */
const isOwn = ({ event }: Applied, { intent }: Decided): boolean =>
  event !== undefined && (JSON.parse(event.entry) as { readonly actor: string | null }).actor === intent.actor

/** The thing of a stored refusal. */
function subjectOf(refusal: Refusal): Key | undefined {
  if (refusal.code === 'wrong-state') return refusal.thing.id as Key
  return refusal.code === 'in-use' || refusal.code === 'stage-requires' ? refusal.id : undefined
}

/** Without what others have that the caller does not see. */
async function refusalSeen(refusal: Refusal, resource: Resource, desk: Desk): Promise<Refusal> {
  if (refusal.code === 'in-use') return inUseSeen(refusal, desk)
  if (refusal.code !== 'not-unique' || refusal.other === undefined) return refusal
  const { other, ...rest } = refusal
  return (await isSeen(resource, other, desk)) ? refusal : rest
}

/** Without numbers, which count what is not seen. */
async function inUseSeen({ heldBy, usedBy, count: _count, ...rest }: InUse, desk: Desk): Promise<Refusal> {
  const holders = await Promise.all(
    [...(heldBy ?? []), ...(usedBy ?? [])].map(async (each) => {
      const on = desk.schema.byName.get(each.on)
      return on !== undefined && (await isSeen(on, each.id, desk)) ? [each] : []
    }),
  )
  const seen = holders.flat()
  return { ...rest, ...(seen.length > 0 && { heldBy: seen }) }
}
