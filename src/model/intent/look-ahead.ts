import { isObject } from '../../values/json/is-object.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { memberIn } from '../../values/members.ts'
import { bySchema } from '../declaration/by-schema.ts'
import type { Key } from '../declaration/resource.ts'
import type { Operation, Resource } from '../declaration/schema.ts'
import { isDeletion, operationNamed, relatedField } from '../schema/resources.ts'
import { itemInModel } from '../schema/stored-model.ts'
import type { Intent } from './intent.ts'
import { targetSought } from './unique-values.ts'

/** A thing that an intent refers to. */
interface SoughtThing {
  readonly resource: string
  readonly id: Key
}

/** The things that an intent refers to: the store looks them up before the decision. */
export const thingsNamed = (intent: Intent, on: Resource): readonly SoughtThing[] => namesIn(intent, on, () => true)

/** Those that links name. */
export const linksNamed = (intent: Intent, on: Resource): readonly SoughtThing[] =>
  on.added.length === 0 ? [] : namesIn(intent, on, ({ isLink = false }) => isLink)

function namesIn({ change }: Intent, on: Resource, isAsked: (kind: Kind<unknown>) => boolean): readonly SoughtThing[] {
  const sent = 'attributes' in change ? change.attributes : change.params
  if (!isObject(sent)) return []
  const params =
    'attributes' in change ? Object.entries(on.kinds) : paramKinds(operationNamed(change.action, on)?.params ?? {})
  return params.flatMap(([name, kind]) => {
    const to = isAsked(kind) ? kind.refersTo : undefined
    const read = to === undefined ? undefined : kind.read(memberIn(sent, name))
    if (to === undefined || read === undefined || !('value' in read) || read.value === null) return []
    return [{ resource: to, id: read.value as Key }]
  })
}

const paramKinds = (params: Operation['params']) =>
  Object.entries(params).map(([name, { kind }]) => [name, kind] as const)

/** Whether the intent would delete its thing: the store then looks for references to it. */
export function wouldRemove({ change }: Intent, resource: Resource): boolean {
  const operation = 'action' in change ? operationNamed(change.action, resource) : undefined
  return operation !== undefined && isDeletion(operation)
}

/** Whether it may remove a part of its thing, or the thing: the store then counts what is in the parts. */
export function mayRemovePart(intent: Intent, resource: Resource): boolean {
  const { parts } = resource
  if (parts === undefined || intent.target === undefined) return false
  const { change } = intent
  const sent = 'attributes' in change ? change.attributes : change.params
  if (wouldRemove(intent, resource)) return true
  if (!isObject(sent) || !Object.hasOwn(sent, parts.listed)) return false
  const item = itemInModel(resource, targetSought(intent, resource))
  return item === undefined || parts.mayLeave(item, sent)
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
