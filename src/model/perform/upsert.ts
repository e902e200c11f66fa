import type { Fault } from '../../values/faults/fault.ts'
import { checkGuard, type Guard, type State } from '../../values/guard.ts'
import {
  groupsOf,
  isObject,
  memberIn,
  memberPointer,
  pointerTo,
  withMembers,
  withoutMember,
} from '../../values/members.ts'
import type { Params } from '../operation.ts'
import { membersToCreate, type Thing } from '../resource.ts'
import { creationOf } from '../resources.ts'
import type { Resource } from '../schema.ts'
import type { AskedAttributes } from './asked.ts'
import { type CommandContent, contentOf, findTarget } from './content.ts'
import { type ChangeDecision, decideChange } from './decide-change.ts'
import type { DecisionFacts, Intent, Verdict } from './intent.ts'
import { misnamed, type UniqueValue, valueNamed } from './unique-values.ts'

type Conclude = (
  content: CommandContent,
  decided: ChangeDecision,
  before: Thing,
  facts: DecisionFacts,
  made?: boolean,
) => Verdict

/** Changes the thing that has a unique value, or creates one with it. decisions/0058 */
export function decideUpsert(asked: CommandContent, facts: DecisionFacts, conclude: Conclude): Verdict {
  const { intent, resource } = asked
  const named = valueNamed(intent, resource)
  if (named === undefined)
    return { kind: 'refuse', refusal: { code: 'invalid', faults: namelessFaults(intent, resource) } }
  const content = { ...asked, intent: withValue(intent, resource, named) }
  const guard = guardOf(intent.guard)
  if (facts.thing !== undefined) {
    const target = findTarget(content, facts)
    if ('refused' in target) return { kind: 'refuse', refusal: target.refused }
    const stale = checkGuard(guard, stateOf(target.thing, facts))
    if (stale !== undefined) return { kind: 'refuse', refusal: stale }
    return conclude(content, decideChange(content, target.thing, facts), target.thing, facts)
  }
  const stated = guard.stated ?? statedIn(content.intent)
  const isStated = guard.revisions !== undefined || stated !== undefined
  const wanted = { ...guard, ...(stated !== undefined && { stated }) }
  const stale = guard.required && !isStated ? ({ code: 'revision-required' } as const) : checkGuard(wanted, undefined)
  if (stale !== undefined) return { kind: 'refuse', refusal: stale }
  const creation = contentOf(creationIn(content.intent, resource, named), facts)
  const blank = findTarget(creation, facts)
  if ('refused' in blank) return { kind: 'refuse', refusal: blank.refused }
  return conclude(content, decideChange(creation, blank.thing, facts), blank.thing, facts, true)
}

const stateOf = ({ revision, updatedAt }: Thing, { previousAt = null }: DecisionFacts): State => ({
  revision,
  updatedAt,
  previousAt,
})

/** The revision among the attributes: nothing that is not there yet has one. */
function statedIn({ change }: Intent): number | undefined {
  const { attributes } = change as AskedAttributes
  return isObject(attributes) && Number.isInteger(attributes.revision) ? Number(attributes.revision) : undefined
}

/** `If-None-Match: *` says that the client knows of none, which is as good as naming a revision. */
const guardOf = (guard: Guard): Guard => ({ ...guard, required: guard.required && guard.noneOf !== 'any' })

function namelessFaults(intent: Intent, resource: Resource): readonly Fault[] {
  const wrong = misnamed(intent, resource)
  const [field = ''] = isObject(intent.target) ? Object.keys(intent.target) : []
  const kind = resource.kinds[field]
  const read = isObject(intent.target) && wrong.length === 0 ? kind?.read(intent.target[field]) : undefined
  const pointer = intent.pointers.target + (field === '' ? '' : pointerTo(field))
  if (wrong.length > 0) return [...wrong, ...intent.faults]
  if (read !== undefined && 'fault' in read) return [{ ...read.fault, at: { pointer } }, ...intent.faults]
  return [
    { code: 'one-required', with: { names: resource.uniques }, at: { pointer: intent.pointers.target } },
    ...intent.faults,
  ]
}

/** The fields with the value that names the thing: another one is a fault. */
function withValue(intent: Intent, { kinds }: Resource, { field, value }: UniqueValue): Intent {
  const change = intent.change as AskedAttributes
  const { attributes } = change
  if (!isObject(attributes)) return intent
  const shown = kinds[field]?.write(value)
  const sent = memberIn(attributes, field)
  if (sent === undefined || sent === shown) return intent
  const pointer = intent.pointers.params + memberPointer(field)
  const other: Fault = { code: 'not-addressed', with: { on: field, id: String(value) }, at: { pointer } }
  const rest = withoutMember(attributes, field)
  return { ...intent, change: { ...change, attributes: rest }, faults: [...intent.faults, other] }
}

/** The creation of a thing with the value: fields that no creation has are set afterwards, by their operations. */
function creationIn(intent: Intent, resource: Resource, { field, value }: UniqueValue): Intent {
  const { target: _none, ...asked } = intent
  const { attributes, row = false } = intent.change as AskedAttributes
  const action = creationOf(resource).words.action
  if (!isObject(attributes)) return { ...asked, change: { action, params: attributes } }
  const members = membersToCreate(resource)
  const known = new Set([...Object.keys(members), ...groupsOf(resource.names)])
  const [given = {}, further] = [true, false].map((isMember) =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => known.has(name) === isMember)),
  )
  const params = withMembers(given, [[field, resource.kinds[field]?.write(value)]]) as Params
  return { ...asked, change: { action, params, afterwards: { attributes: further, row } } }
}
