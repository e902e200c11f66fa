import { isObject } from '../../values/json/is-object.ts'
import { grantsToCreate } from '../intent/grants.ts'
import { personMembers } from '../intent/persons.ts'
import type { CommandContent } from './content.ts'
import type { Aim } from './step.ts'

/** Who may create only what is theirs, or their team's, need not say so: the field that says whose it is gets them. */
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
