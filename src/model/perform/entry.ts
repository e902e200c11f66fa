import { isVisible } from '../../values/kinds/text.ts'
import { isObject } from '../../values/members.ts'
import { bySchema } from '../by-schema.ts'
import { valueIn } from '../operation.ts'
import type { Key, Thing } from '../resource.ts'
import { operationNamed, relatedField } from '../resources.ts'
import type { Resource } from '../schema.ts'
import type { EntryRefusal } from './entry-refusal.ts'
import type { DecisionFacts, Intent } from './intent.ts'

/** Why a thing may not enter the stage where a change leads it; undefined if it may, or was there before. */
export function entryRefusal(
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

/** The references to things that stages require fields of, by the fields that hold them. */
export const relatedRequired = bySchema((resource: Resource): ReadonlyMap<string, Resource> => {
  const fields = resource.entry?.requires(resource.schema) ?? []
  const found = fields.flatMap((field) => relatedField(resource, field) ?? [])
  return new Map(found.map(({ through, of }) => [through, of]))
})

/** Whether it may lead its thing into a stage: the store then looks up what is related to it. */
export function mayEnter({ change, target }: Intent, resource: Resource): boolean {
  const { entry } = resource
  if (entry === undefined) return false
  const sent = 'attributes' in change ? change.attributes : change.params
  const isNew = target === undefined || ('attributes' in change && change.makes === true)
  const creates = 'action' in change && operationNamed(change.action, resource)?.to === 'nothing'
  return isNew || creates || (isObject(sent) && entry.by.some((name) => Object.hasOwn(sent, name)))
}
