import type { Reason } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { valueIn } from '../declaration/operation.ts'
import type { Refusal } from '../declaration/refusal.ts'
import type { Thing } from '../declaration/resource.ts'
import type { Resource } from '../declaration/schema.ts'
import { maySee } from '../intent/caller.ts'
import type { Intent, Verdict } from '../intent/intent.ts'
import { isUpsert, misnamed } from '../intent/unique-values.ts'
import { isDeleted } from '../schema/resources.ts'
import { type CommandContent, idText, invalidAround, textOf, unknownAction } from './content.ts'
import { type Aim, type Question, refuse } from './step.ts'
import { creationIn } from './upsert.ts'

/** The thing is there, and the caller sees it; for a creation, a blank one. */
export function inSight(question: Question): Aim | Verdict {
  const { content, facts } = question
  const { intent, resource, operation } = content
  const { thing } = facts
  if (isUpsert(intent) && thing === undefined)
    return { ...question, before: blank(question), creation: creationIn(question) }
  if (intent.target === undefined) {
    return operation?.to === 'nothing' ? { ...question, before: blank(question) } : refuse(withoutTarget(content))
  }
  const wrongly = misnamed(intent, resource)
  if (wrongly.length > 0) return refuse({ code: 'invalid', faults: [...wrongly, ...intent.faults] })
  if (thing !== undefined && maySee(resource, thing, intent.caller, facts.meets) && isAsSeen(resource, thing, intent))
    return { ...question, before: thing }
  const wrong = numberAsText(intent.target, resource)
  if (wrong === undefined) return refuse(notFound(resource, intent.target))
  return refuse(invalidAround(intent, { ...wrong, at: { pointer: intent.pointers.target } }))
}

function blank({ content: { intent, resource }, facts }: Question): Thing {
  const thing = resource.blank(facts.newId(), facts.now) as unknown as Thing
  const { privacy } = resource
  // The operator has no name.
  const owner = privacy && { [privacy.owner]: intent.caller?.name || null }
  return owner === undefined && intent.within === undefined ? thing : { ...thing, ...owner, ...intent.within }
}

/** A deleted thing is only deleted again. */
export function deleted(aim: Aim): Aim | Verdict {
  const { content, before } = aim
  const { intent, resource, operation } = content
  if (!isDeleted(before) || operation?.to === 'deleted' || intent.unconditional) return aim
  const deletedAt = String(valueIn(before, 'deletedAt'))
  return refuse({ code: 'deleted', resource: resource.name, id: before.id, deletedAt })
}

/** The target of an intent names nothing that is there. */
export function notFound(resource: Resource, target: unknown): Refusal {
  const { name } = resource
  if (!isObject(target)) return { code: 'not-found', resource: name, id: idText(resource, target) }
  const [[by = '', value] = []] = Object.entries(target)
  return { code: 'not-found', resource: name, id: textOf(value), by }
}

/** Whether the fields by which the thing was found still have their values. */
const isAsSeen = ({ kinds }: Resource, thing: Thing, { seen = {} }: Intent): boolean =>
  Object.entries(seen).every(([field, json]) => JSON.stringify(kinds[field]?.write(valueIn(thing, field))) === json)

/** The fault of a numeric id that was sent as a text: there may well be such a thing. */
export function numberAsText(target: unknown, { kinds: { id } }: Pick<Resource, 'kinds'>): Reason | undefined {
  if (typeof target !== 'string' || id === undefined) return undefined
  const read = id.read(target)
  return 'fault' in read && 'value' in id.readText(target) ? read.fault : undefined
}

function withoutTarget(content: CommandContent): Refusal {
  const { intent, operation } = content
  if ('action' in intent.change && operation === undefined) return unknownAction(content)
  return invalidAround(intent, { code: 'required', at: { pointer: intent.pointers.target } })
}
