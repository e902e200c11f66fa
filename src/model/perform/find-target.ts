import { readNumbersRaw } from '../../values/json/read-numbers-raw.ts'
import type { Fault } from '../../values/members.ts'
import { didYouMean } from '../../values/nearest.ts'
import { valueIn } from '../operation.ts'
import type { Refusal } from '../refusal.ts'
import type { Resource, Thing } from '../resource.ts'
import { isDeleted, operationWords } from '../resources.ts'
import { type CommandContent, idText } from './content.ts'
import type { Facts, Intent } from './intent.ts'
import { mayChange, maySee } from './privacy.ts'

/** The thing that an intent is about, a blank one for a creation, or the refusal. */
export function findTarget(
  intent: Intent,
  content: CommandContent,
  facts: Facts,
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
    const detail = numberAsText(intent.target, resource)
    if (detail !== undefined) return { refused: invalidAround(intent, { pointer: intent.pointers.target, detail }) }
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

/** What is wrong with an id that is a number but was sent as a text: there may well be such a thing. */
export function numberAsText(target: unknown, { kinds: { id } }: Pick<Resource, 'kinds'>): string | undefined {
  if (typeof target !== 'string' || id === undefined) return undefined
  const read = id.read(target)
  return 'fault' in read && 'value' in id.readText(target) ? read.fault : undefined
}

function withoutTarget(intent: Intent, content: CommandContent): Refusal {
  if ('action' in intent.change && content.operation === undefined) return unknownAction(intent, content)
  return invalidAround(intent, { pointer: intent.pointers.target, detail: 'is required' })
}

/** A body that is no object lacks every member: one fault is enough. */
function invalidAround({ faults }: Intent, missing: Fault): Refusal {
  const isObject = faults.every(({ pointer }) => pointer !== '')
  return { code: 'invalid', faults: isObject ? [missing, ...faults] : faults }
}

export function unknownAction(intent: Intent, { resource }: CommandContent): Refusal {
  const { action: pointer } = intent.pointers
  const action = 'action' in intent.change ? intent.change.action : undefined
  if (action === undefined) return invalidAround(intent, { pointer, detail: 'is required' })
  if (typeof action !== 'string') return invalidAround(intent, { pointer, detail: 'must be a string' })
  const shown = action.length > 64 ? `${action.slice(0, 64)}…` : action
  const detail = `there is no operation ${JSON.stringify(shown)}${didYouMean(action, operationWords(resource))}`
  return { code: 'unknown-action', pointer, detail }
}
