import { isObject } from '../../values/json/is-object.ts'
import { readMembers } from '../../values/members.ts'
import type { Refusal } from '../declaration/refusal.ts'
import { denial } from '../intent/caller.ts'
import { grantsToCreate } from '../intent/grants.ts'
import type { Verdict } from '../intent/intent.ts'
import { personMembers } from '../intent/persons.ts'
import type { CommandContent } from './content.ts'
import { type Aim, refuse } from './step.ts'

/** The caller may do the operation with this thing. */
export function rights(aim: Aim): Aim | Verdict {
  const { content, before, facts } = aim
  const refusal =
    denial(content.intent.caller, content.resource, content.operation, before, facts.meets) ?? ownDenial(aim)
  return refusal === undefined ? aim : refuse(refusal)
}

/** The refusal of an operation that asks more of its caller than a role. */
function ownDenial({ content, before, facts }: Aim): Refusal | undefined {
  const { operation, intent, sent } = content
  if (operation?.denied === undefined || intent.caller === undefined) return undefined
  const read = readMembers(operation.params, sent)
  return operation.denied(before, 'values' in read ? read.values : {}, intent.caller, { known: facts.known as never })
}

/** A caller who may create only what is theirs, or their team's, need not say so: the field that says whose it is gets them. */
export function owners(aim: Aim): Aim {
  const { content, creation } = aim
  if (content.intent.caller?.own === undefined) return aim
  if (creation !== undefined) return { ...aim, creation: withOwner(creation, aim) }
  return content.operation?.to === 'nothing' ? { ...aim, content: withOwner(content, aim) } : aim
}

function withOwner(content: CommandContent, { facts: { callersFields } }: Aim): CommandContent {
  const { intent, resource, operation, sent } = content
  const { caller } = intent
  const user = caller?.user
  if (caller === undefined || user == null || callersFields === undefined || !isObject(sent)) return content
  const conditions = grantsToCreate(resource, caller, operation).flatMap(({ where }) => where ?? [])
  const named = new Set(conditions.flatMap((where) => callersFields(resource, where)))
  const absent = personMembers(resource, operation).filter(
    ({ name, field }) => named.has(field) && !Object.hasOwn(sent, name),
  )
  if (absent.length === 0) return content
  return { ...content, sent: { ...sent, ...Object.fromEntries(absent.map(({ name }) => [name, user])) } }
}
