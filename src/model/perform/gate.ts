import { isVisible } from '../../values/kinds/text.ts'
import { valueIn } from '../declaration/operation.ts'
import type { EntryRefusal } from '../declaration/refusal.ts'
import type { Key, Thing } from '../declaration/resource.ts'
import type { Resource } from '../declaration/schema.ts'
import type { DecisionFacts, Verdict } from '../intent/intent.ts'
import { relatedField } from '../schema/resources.ts'
import { refuseState } from './command.ts'
import { type Change, formerly } from './step.ts'

/** The thing has what the stage needs that it enters. */
export function gate(change: Change): Change | Verdict {
  const { content, facts, after } = change
  if (content.intent.unconditional) return change
  const refusal = entryRefusal(content.resource, formerly(change), after, facts.related)
  return refusal === undefined ? change : refuseState(change, refusal)
}

/** Why a thing may not enter the stage where a change leads it; undefined if it may, or was there before. */
function entryRefusal(
  resource: Resource,
  before: Thing | undefined,
  after: Thing,
  related: DecisionFacts['related'],
): EntryRefusal | undefined {
  const entered = resource.entry?.entered(before, after, resource.schema)
  if (entered === undefined) return undefined
  const place = { resource: resource.name, id: after.id, ...entered.place }
  if (entered.isClosing) return { code: 'closing', ...place }
  const fields = entered.requires.filter((field) => isMissing(resource, after, field, related))
  return fields.length === 0 ? undefined : { code: 'stage-requires', ...place, fields }
}

/** A retired field is not missing: nobody could set it. */
function isMissing(on: Resource, thing: Thing, field: string, related: DecisionFacts['related']): boolean {
  const reached = relatedField(on, field)
  if (reached === undefined) return Object.hasOwn(on.kinds, field) && isEmpty(valueIn(thing, field))
  const { name, of, through } = reached
  if (!Object.hasOwn(of.kinds, name)) return false
  const key = valueIn(thing, through) as Key | null
  const other = key === null ? undefined : related(of.name, key)
  return other === undefined || isEmpty(valueIn(other, name))
}

/** Nothing, a text that shows nothing or no choices; 0 and false are values. */
function isEmpty(value: unknown): boolean {
  if (value === null || (Array.isArray(value) && value.length === 0)) return true
  return typeof value === 'string' && !isVisible(value)
}
