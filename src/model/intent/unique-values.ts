import { type Fault, within } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import { present } from '../../values/kinds/kind.ts'
import { memberEntries, unknownMembers } from '../../values/members.ts'
import { valueIn } from '../declaration/operation.ts'
import type { NotUnique, Refusal } from '../declaration/refusal.ts'
import type { Key, Thing } from '../declaration/resource.ts'
import type { Operation, Resource } from '../declaration/schema.ts'
import { operationNamed } from '../schema/resources.ts'
import type { DecisionFacts, Intent } from './intent.ts'

/** A value of a unique field: it names at most one thing of its resource. decisions/0058 */
export interface UniqueValue {
  readonly field: string
  readonly value: unknown
}

/** The unique values that an intent may set, and the one that names its thing: the store looks up the things that have them before the decision. */
export function uniqueValuesIn(intent: Intent, resource: Resource): readonly UniqueValue[] {
  if (resource.uniques.length === 0) return []
  const { change } = intent
  const named = valueNamed(intent, resource) ?? []
  if ('attributes' in change) return [...valuesIn(change.attributes, resource), named].flat()
  return [
    ...[named].flat(),
    ...valuesSet(change.params, resource, operationNamed(change.action, resource)),
    ...valuesIn(change.afterwards?.attributes, resource),
  ]
}

/** The unique value that names the thing of an intent; undefined if its id does, or no thing can have the value. */
export function valueNamed({ target }: Pick<Intent, 'target'>, { uniques, kinds }: Resource): UniqueValue | undefined {
  if (!isObject(target)) return undefined
  const [[field = '', raw] = [], ...others] = Object.entries(target)
  if (!uniques.includes(field) || others.length > 0 || raw === null) return undefined
  // An address has every value as text.
  const read = typeof raw === 'string' ? kinds[field]?.readText(raw) : kinds[field]?.read(raw)
  return read !== undefined && 'value' in read ? { field, value: read.value } : undefined
}

/** An intent whose thing is named by a value as documents have it, however an address spells it. */
export function withNamedValue(intent: Intent, resource: Resource): Intent {
  const named = valueNamed(intent, resource)
  if (named === undefined) return intent
  return { ...intent, target: { [named.field]: resource.kinds[named.field]?.write(named.value) ?? null } }
}

/** The refusal of a value that names nothing yet, because the index of its field is being built. */
export function unnamed(intent: Pick<Intent, 'target'>, resource: Resource): Refusal | undefined {
  const { field } = valueNamed(intent, resource) ?? {}
  return field !== undefined && isBuilding(resource, field)
    ? { code: 'building', resource: resource.name, field }
    : undefined
}

export const isBuilding = ({ fields }: Pick<Resource, 'fields'>, field: string): boolean =>
  fields[field]?.added?.state === 'building'

/** Whether it creates the thing that a unique value names if there is none. */
export const isUpsert = ({ change }: Pick<Intent, 'change'>): boolean => 'attributes' in change && change.makes === true

/** The faults of a target that is neither an id nor one unique value of the right type. */
export function misnamed(
  { target, pointers }: Pick<Intent, 'target' | 'pointers'>,
  { uniques, kinds }: Resource,
): readonly Fault[] {
  if (!isObject(target)) return []
  const unknown = unknownMembers(target, uniques)
  if (unknown.length > 0) return unknown.map((fault) => within(pointers.target, fault))
  const [[field = '', raw] = [], ...others] = Object.entries(target)
  const kind = kinds[field]
  if (kind === undefined || others.length > 0)
    return [{ code: 'one-required', with: { names: uniques }, at: { pointer: pointers.target } }]
  // A text that is not read is that of no thing.
  const read = typeof raw === 'string' ? undefined : present(kind).read(raw)
  return read !== undefined && 'fault' in read
    ? [within(pointers.target, { ...read.fault, at: { pointer: pointerTo(field) } })]
    : []
}

/** The id to look up; undefined if no thing can have it. */
export function targetSought({ target }: Intent, { kinds }: Resource): Key | undefined {
  if (target === undefined) return undefined
  const read = kinds.id?.read(target)
  return read !== undefined && 'value' in read ? (read.value as Key) : undefined
}

/** The id of the thing that an intent is about; undefined if no thing can have it. */
export const idSought = (intent: Intent, resource: Resource, idBy: DecisionFacts['idBy']): Key | undefined => {
  const named = valueNamed(intent, resource)
  return named === undefined ? targetSought(intent, resource) : idBy(named.field, named.value)
}

/** A parameter may only have the name of a unique field, such as the reference of a payment. */
function valuesSet(params: unknown, resource: Resource, operation: Operation | undefined): readonly UniqueValue[] {
  if (operation === undefined) return []
  const { to, changes, sets } = operation
  return valuesIn(params, resource, sets).filter(({ field }) => to === 'nothing' || changes.includes(field))
}

function valuesIn(sent: unknown, { uniques, kinds }: Resource, sets: Operation['sets'] = {}): readonly UniqueValue[] {
  if (!isObject(sent)) return []
  return memberEntries(uniques, sent).flatMap(([name, raw]): UniqueValue[] => {
    const field = Object.hasOwn(sets, name) ? String(sets[name]) : name
    if (raw === null || !uniques.includes(field)) return []
    const read = kinds[field]?.read(raw)
    return read !== undefined && 'value' in read ? [{ field, value: read.value }] : []
  })
}

/** Why a thing cannot have its new values; undefined if no other thing has them. */
export function takenValue(
  { name: resource, uniques, kinds, privacy }: Resource,
  before: Thing,
  after: Thing,
  { idBy }: Pick<DecisionFacts, 'idBy'>,
): NotUnique | undefined {
  for (const field of uniques) {
    const value = valueIn(after, field)
    if (value === null || value === valueIn(before, field)) continue
    const other = idBy(field, value)
    if (other === undefined || other === after.id) continue
    const shown = { field, value: kinds[field]?.write(value) ?? null }
    return { code: 'not-unique', resource, ...shown, ...(privacy === undefined && { other }) }
  }
  return undefined
}

/** The thing among several that has a unique value. */
export const idAmong =
  (things: Iterable<Thing>) =>
  (field: string, value: unknown): Key | undefined => {
    for (const thing of things) if (valueIn(thing, field) === value) return thing.id
    return undefined
  }
