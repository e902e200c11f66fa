import { checkGuard, type Guard, type State } from '../../values/guard.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { Thing } from '../declaration/resource.ts'
import type { Resource } from '../declaration/schema.ts'
import type { DecisionFacts, Intent, Verdict } from '../intent/intent.ts'
import { isUpsert } from '../intent/unique-values.ts'
import { type Aim, refuse } from './step.ts'

/** The thing is in a state that the preconditions allow. */
export function guard(aim: Aim): Aim | Verdict {
  const { content, before, creation, facts } = aim
  const { intent } = content
  const asked = isUpsert(intent) ? guardOfUpsert(intent.guard) : guardOf(aim)
  if (creation !== undefined) return guardNothing(aim, asked)
  const stale = checkGuard(asked, intent.target === undefined ? undefined : stateOf(content.resource, before, facts))
  return stale === undefined ? aim : refuse(stale)
}

function stateOf(resource: Resource, thing: Thing, { previousAt = null, known }: DecisionFacts): State | undefined {
  const { revision, updatedAt } = thing
  return resource.state === undefined ? { revision, updatedAt, previousAt } : resource.state(thing, known)
}

/** Pages for what the audit tells of send most changes without a revision. */
function guardOf({ content: { intent, resource, operation } }: Aim): Guard {
  const isOptional = resource.feed === 'audit' && !operation?.demandsState
  return isOptional ? { ...intent.guard, required: false } : intent.guard
}

/** `If-None-Match: *` says that the client knows of none, which is as good as naming a revision. */
const guardOfUpsert = (guard: Guard): Guard => ({ ...guard, required: guard.required && guard.noneOf !== 'any' })

/** Nothing that is not there yet has a revision, also none among its attributes. */
function guardNothing(aim: Aim, guard: Guard): Aim | Verdict {
  const stated = guard.stated ?? revisionIn(aim.content.intent)
  const isStated = guard.revisions !== undefined || stated !== undefined
  if (guard.required && !isStated) return refuse({ code: 'revision-required' })
  const stale = checkGuard({ ...guard, ...(stated !== undefined && { stated }) }, undefined)
  return stale === undefined ? aim : refuse(stale)
}

function revisionIn({ change }: Intent): number | undefined {
  const attributes = 'attributes' in change ? change.attributes : undefined
  return isObject(attributes) && Number.isInteger(attributes.revision) ? Number(attributes.revision) : undefined
}
