import { type Fault, near, type Reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { readNumbersRaw } from '../../values/json/read-numbers-raw.ts'
import { valueIn } from '../operation.ts'
import type { Refusal } from '../refusal.ts'
import type { Thing } from '../resource.ts'
import { isDeleted, operationWords } from '../resources.ts'
import type { Resource } from '../schema.ts'
import { type CommandContent, idText } from './content.ts'
import type { DecisionFacts, Intent } from './intent.ts'
import { mayChange, maySee } from './privacy.ts'

/** The target of an intent, a blank thing for a creation, or the refusal. */
export function findTarget(
  intent: Intent,
  content: CommandContent,
  facts: DecisionFacts,
): { readonly thing: Thing } | { readonly refused: Refusal } {
  const { resource, operation } = content
  if (intent.target === undefined) {
    if (operation?.to !== 'nothing') return { refused: withoutTarget(intent, content) }
    const blank = resource.blank(facts.newId(), facts.now) as unknown as Thing
    const { privacy } = resource
    return { thing: privacy === undefined ? blank : { ...blank, [privacy.owner]: intent.claimant?.name ?? null } }
  }
  const { thing } = facts
  if (thing === undefined || !maySee(resource, thing, intent.claimant) || !isAsSeen(resource, thing, intent)) {
    const wrong = numberAsText(intent.target, resource)
    if (wrong !== undefined)
      return { refused: invalidAround(intent, { ...wrong, at: { pointer: intent.pointers.target } }) }
    return { refused: { code: 'not-found', resource: resource.name, id: idText(resource, intent.target) } }
  }
  if (!mayChange(resource, thing, intent.claimant)) {
    return { refused: { code: 'not-owner', resource: resource.name, id: thing.id } }
  }
  if (!isDeleted(thing) || operation?.to === 'deleted') return { thing }
  const deletedAt = String(valueIn(thing, 'deletedAt'))
  return { refused: { code: 'deleted', resource: resource.name, id: thing.id, deletedAt } }
}

/** Whether the fields by which the thing was found still have their values. */
function isAsSeen({ toJson }: Resource, thing: Thing, { seen = {} }: Intent): boolean {
  const fields = Object.entries(seen)
  if (fields.length === 0) return true
  const now = readNumbersRaw(toJson(thing)) as { readonly [field: string]: unknown }
  return fields.every(([field, json]) => JSON.stringify(now[field]) === json)
}

/** The fault of a numeric id that was sent as a text: there may well be such a thing. */
export function numberAsText(target: unknown, { kinds: { id } }: Pick<Resource, 'kinds'>): Reason | undefined {
  if (typeof target !== 'string' || id === undefined) return undefined
  const read = id.read(target)
  return 'fault' in read && 'value' in id.readText(target) ? read.fault : undefined
}

function withoutTarget(intent: Intent, content: CommandContent): Refusal {
  if ('action' in intent.change && content.operation === undefined) return unknownAction(intent, content)
  return invalidAround(intent, { code: 'required', at: { pointer: intent.pointers.target } })
}

/** A body that is not an object lacks every member: one fault is enough. */
function invalidAround({ faults }: Intent, missing: Fault): Refusal {
  const isObject = faults.every(({ at }) => at.pointer !== '')
  return { code: 'invalid', faults: isObject ? [missing, ...faults] : faults }
}

export function unknownAction(intent: Intent, { resource }: CommandContent): Refusal {
  const at = { pointer: intent.pointers.action }
  const action = 'action' in intent.change ? intent.change.action : undefined
  if (action === undefined) return invalidAround(intent, { code: 'required', at })
  if (typeof action !== 'string') return invalidAround(intent, { code: 'type', with: { wants: 'string' }, at })
  const facts = { operation: action.length > 64 ? `${action.slice(0, 64)}…` : action }
  const known = near(nearest(action, operationWords(resource)))
  return { code: 'unknown-action', fault: { code: 'unknown-operation', with: { ...facts, ...known }, at } }
}
