import { type Fault, type Reason, reason } from '../../values/faults/fault.ts'
import { staleRevision } from '../../values/guard.ts'
import { isSameValue } from '../../values/json/canonical.ts'
import { isExactNumber } from '../../values/json/exact-numbers.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { memberAt, memberEntries, memberIn, memberPointer, NO_OBJECT, nested, unknownIn } from '../../values/members.ts'
import { type Params, valueIn } from '../declaration/operation.ts'
import type { Refusal } from '../declaration/refusal.ts'
import { membersToCreate, type Thing } from '../declaration/resource.ts'
import type { Operation, Resource } from '../declaration/schema.ts'
import { placedBesideOthers } from '../schema/resources.ts'
import type { AskedAttributes } from '../source/asked.ts'

/** The attributes that ask for an operation with these parameters; undefined if no attributes can. */
export function attributesFor(operation: Operation, params: Params): Params | undefined {
  const { fromAttributes, sets, marks = {}, differences } = operation
  if (fromAttributes === undefined) return undefined
  const set = Object.entries(sets ?? {}).filter(([param]) => memberIn(params, param) !== undefined)
  const named = differences ? params : nested(set.map(([param, field]) => [field, memberIn(params, param)]))
  return { ...(marks as Params), ...(named as Params) }
}

/** The readable attributes of a body, and the faults of the others. */
export interface ReadAttributes {
  readonly wanted: Readonly<Record<string, unknown>>
  readonly faults: readonly Fault[]
}

/**
 * Reads and checks the attributes of a body. Fields that the service assigns must have their current value.
 * If the body is a whole thing, an absent field gets its default.
 */
export function readAttributes(
  resource: Resource,
  raw: unknown,
  thing: Thing,
  { whole = false, merges = false, row = false }: Omit<AskedAttributes, 'attributes'> = {},
): ReadAttributes | { readonly refused: Refusal } {
  if (!isObject(raw)) return { wanted: {}, faults: [{ ...NO_OBJECT, at: { pointer: '' } }] }
  const { links: _links, ...body } = raw
  if (Number.isInteger(body.revision) && body.revision !== thing.revision) return { refused: staleRevision(thing) }
  const faults: Fault[] = []
  const wanted: Record<string, unknown> = whole ? initialValues(resource, body, thing, faults) : {}
  const updatable = updatableFields(resource, row)
  for (const [name, sent] of memberEntries(resource.names, body)) {
    const kind: Kind<unknown> | undefined = Object.hasOwn(resource.kinds, name) ? resource.kinds[name] : undefined
    if (kind === undefined) continue
    const current = kind.write(valueIn(thing, name))
    const value = merges && resource.fields[name]?.by === 'client' ? mergePatch(current, sent) : sent
    const isSame = isSameValue(value, current) || (!updatable.has(name) && isDoubleOf(value, current))
    if (isSame && !isBesideOther(kind, body, thing)) continue
    const read = kind.read(value)
    if ('fault' in read) faults.push({ ...read.fault, at: { pointer: memberPointer(name) } })
    else if (updatable.has(name)) wanted[name] = read.value
    else if (!isSameValue(kind.write(read.value), current))
      faults.push({ ...howToChange(resource, name), at: { pointer: memberPointer(name) } })
  }
  faults.push(...unknownIn(resource.names, body))
  return { wanted: withoutHalves(resource, row, wanted, faults), faults }
}

/** Many clients read numbers as doubles, also the largest totals, which they cannot change. */
const isDoubleOf = (value: unknown, current: unknown): boolean =>
  isExactNumber(current) && value === Number(current.rawJSON)

/** A value that stays may be wrong once another has changed. */
const isBesideOther = ({ within }: Kind<unknown>, body: object, thing: Thing): boolean =>
  within !== undefined &&
  Object.hasOwn(body, within.field) &&
  valueIn(body, within.field) !== valueIn(thing, within.field)

/** Objects are merged in each other; another value replaces the former one. RFC 7396 §2 */
function mergePatch(current: unknown, sent: unknown): unknown {
  if (!isObject(sent)) return sent
  const merged = new Map<string, unknown>(isObject(current) ? Object.entries(current) : [])
  for (const [name, value] of Object.entries(sent)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}

/** A required field that the thing never had, because the field is newer, stays without a value. */
function initialValues(resource: Resource, body: object, thing: Thing, faults: Fault[]): Record<string, unknown> {
  const absent = Object.entries(membersToCreate(resource)).filter(([name]) => memberIn(body, name) === undefined)
  for (const [name, member] of absent) {
    if (member.required && valueIn(thing, name) !== null)
      faults.push({ code: 'required', at: { pointer: memberPointer(name) } })
  }
  const stays = placedBesideOthers(resource)
  return Object.fromEntries(
    absent.flatMap(([name, member]) => ('default' in member && !stays.has(name) ? [[name, member.default]] : [])),
  )
}

/** The attributes that an update may change, or an imported row. */
export function updatableFields(resource: Resource, row = false): ReadonlySet<string> {
  return new Set(
    updating(resource, row).flatMap(({ sets = {}, marks = {}, changes, differences, fromRow }) =>
      differences || fromRow !== undefined ? changes : [...Object.values(sets), ...Object.keys(marks)],
    ),
  )
}

/** Drops fields that belong to the same operation as a faulty one: its fault is reported alone. */
function withoutHalves(
  resource: Resource,
  row: boolean,
  wanted: Record<string, unknown>,
  faults: readonly Fault[],
): Readonly<Record<string, unknown>> {
  const updatable = updatableFields(resource, row)
  const unreadable = new Set(faults.map(({ at }) => memberAt(at.pointer)).filter((name) => updatable.has(name)))
  const halves = updating(resource, row)
    .filter(({ changes, differences }) => !differences && changes.some((field) => unreadable.has(field)))
    .flatMap(({ changes }) => changes)
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !halves.includes(name)))
}

function howToChange(resource: Resource, field: string): Reason {
  const names = resource.operations
    .filter(({ changes, to }) => to !== 'nothing' && changes.includes(field))
    .map(({ name }) => name)
  if (names.length > 0) return reason('changed-by', { operations: names, ...(names.length > 1 && { wants: 'one-of' }) })
  return resource.fields[field]?.by === 'client'
    ? reason('set-at-creation', { on: resource.name })
    : reason('set-by-service')
}

export type AttributeStep =
  | { readonly operation: Operation; readonly params: { readonly [param: string]: unknown } }
  | { readonly operation: Operation; readonly faults: readonly Fault[] }

/** The operations that turn the thing into the wanted one, in their order. */
export function stepsFrom(resource: Resource, thing: Thing, wanted: object, row = false): readonly AttributeStep[] {
  return updating(resource, row).flatMap((operation): AttributeStep[] => {
    const asked = (operation.fromAttributes ?? operation.fromRow)?.(thing, wanted)
    return asked === undefined ? [] : [{ operation, ...asked }]
  })
}

/** The wanted attributes that the thing does not have although every step was done. */
export function unreached(resource: Resource, thing: Thing, wanted: object): readonly Fault[] {
  return Object.entries(wanted).flatMap(([name, value]) =>
    isSameValue(resource.kinds[name]?.write(value), resource.kinds[name]?.write(valueIn(thing, name)))
      ? []
      : [{ ...howToChange(resource, name), at: { pointer: memberPointer(name) } }],
  )
}

function updating(resource: Resource, row: boolean): readonly Operation[] {
  const asked = resource.operations.filter(
    ({ fromAttributes, fromRow }) => fromAttributes !== undefined || (row && fromRow !== undefined),
  )
  const inTurn = (turn: Operation['turn']): readonly Operation[] => asked.filter((each) => each.turn === turn)
  // A state is left in the opposite order of entering it: a deal is completed, then archived; unarchived, then reopened.
  return [...inTurn('first').toReversed(), ...inTurn(undefined), ...inTurn('last')]
}
