import type { Fault } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import { groupsOf, memberIn, memberPointer, withMembers, withoutMember } from '../../values/members.ts'
import type { Params } from '../declaration/operation.ts'
import { membersToCreate } from '../declaration/resource.ts'
import type { Resource } from '../declaration/schema.ts'
import type { Intent, Verdict } from '../intent/intent.ts'
import { isUpsert, misnamed, type UniqueValue, unnamed, valueNamed } from '../intent/unique-values.ts'
import { creationOf } from '../schema/resources.ts'
import type { AskedAttributes } from '../source/asked.ts'
import { type CommandContent, contentOf } from './content.ts'
import { type Question, refuse } from './step.ts'

// An upsert changes the thing that has a unique value, or creates one with it. decisions/0058

/** A value that names the thing is there to name it, and an upsert has one. */
export function named(question: Question): Question | Verdict {
  const { content } = question
  const { intent, resource } = content
  const building = unnamed(intent, resource)
  if (building !== undefined) return refuse(building)
  if (!isUpsert(intent)) return question
  const value = valueNamed(intent, resource)
  if (value === undefined) return refuse({ code: 'invalid', faults: namelessFaults(intent, resource) })
  return { ...question, content: { ...content, intent: withValue(intent, resource, value) } }
}

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

/** The creation that an upsert becomes: fields that no creation has are set afterwards, by their operations. */
export function creationIn({ content: { intent, resource }, facts }: Question): CommandContent {
  const { target: _none, ...asked } = intent
  const { attributes, row = false } = intent.change as AskedAttributes
  const action = creationOf(resource).words.action
  if (!isObject(attributes)) return contentOf({ ...asked, change: { action, params: attributes } }, facts)
  const members = membersToCreate(resource)
  const known = new Set([...Object.keys(members), ...groupsOf(resource.names)])
  const [given = {}, further] = [true, false].map((isMember) =>
    Object.fromEntries(Object.entries(attributes).filter(([name]) => known.has(name) === isMember)),
  )
  const { field = '', value } = valueNamed(intent, resource) ?? {}
  const params = withMembers(given, [[field, resource.kinds[field]?.write(value)]]) as Params
  return contentOf({ ...asked, change: { action, params, afterwards: { attributes: further, row } } }, facts)
}
