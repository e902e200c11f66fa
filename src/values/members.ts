import { problemBounds } from './bounds.ts'
import { type Fault, near, type Reason, reason, within } from './faults/fault.ts'
import { nearest } from './faults/nearest.ts'
import { isObject } from './json/is-object.ts'
import type { Json } from './json/json.ts'
import { lostIn } from './json/lost-members.ts'
import { type Group, type Grouped, grouped, type Place, partsOf } from './json/places.ts'
import { pointerTo } from './json/pointer.ts'
import type { JsonSchema, Kind } from './kinds/kind.ts'
import { onceFor } from './memoize.ts'

export const NO_OBJECT = reason('type', { wants: 'object' })

export interface Member<T> {
  readonly kind: Kind<T>
  readonly required: boolean
  /** The default of an absent member. Without one, the member is absent from the result too. */
  readonly default?: T
  /** Whether an absent one is the time of the write. A repeat that omits it too has the same content. */
  readonly orNow?: true
}

/**
 * By their names. A name of two parts, such as `own.budget`, stands in an object of the first one:
 * `{ "own": { "budget": 5 } }`.
 */
export type Members = Readonly<Record<string, Member<unknown>>>

type PresentNames<M> = { [N in keyof M]: M[N] extends { required: true } | { default: unknown } ? N : never }[keyof M]
type MemberValue<M> = M extends { kind: Kind<infer T> } ? T : never
export type ValuesOf<M> = { readonly [N in PresentNames<M>]: MemberValue<M[N]> } & {
  readonly [N in Exclude<keyof M, PresentNames<M>>]?: MemberValue<M[N]>
}

/** The same as a client sends it: members with a default are optional. */
export type SentOf<M> = { readonly [N in RequiredNames<M>]: MemberValue<M[N]> } & {
  readonly [N in Exclude<keyof M, RequiredNames<M>>]?: MemberValue<M[N]>
}
type RequiredNames<M> = { [N in keyof M]: M[N] extends { required: true } ? N : never }[keyof M]

export const required = <T>(kind: Kind<T>) => ({ kind, required: true }) as const
export const optional = <T>(kind: Kind<T>) => ({ kind, required: false }) as const
export const withDefault = <T>(kind: Kind<T>, value: T) => ({ kind, required: false, default: value }) as const

export const orNow = <T>(kind: Kind<T>) => ({ kind, required: false, orNow: true }) as const

/** `sound` holds the members that have no fault. */
export type ReadMembers<M> =
  | { readonly values: ValuesOf<M> }
  | { readonly faults: readonly Fault[]; readonly sound: Partial<ValuesOf<M>> }

/** A check beyond the kind's own: the reason why a value is wrong, or undefined. */
export type FurtherCheck = (kind: Kind<unknown>, value: unknown) => Reason | undefined

/** Reads an object whose members are all known; every fault is reported, not only the first. */
export function readMembers<M extends Members>(members: M, raw: unknown, check?: FurtherCheck): ReadMembers<M> {
  if (!isObject(raw)) return { faults: [{ ...NO_OBJECT, at: { pointer: '' } }], sound: {} }
  const { plain, groups, known } = placesOf(members)
  const faults: Fault[] = []
  const values: Record<string, unknown> = {}
  let found = readPlain(plain, raw, values, faults, check)
  for (const group of groups) {
    if (Object.hasOwn(raw, group.name)) found++
    // An absent member of a group stays as it is, and is unset in a new thing.
    else if (!group.isRequired) continue
    readGroup(group, raw, values, faults, check)
  }
  if (Object.keys(raw).length > found) faults.push(...unknownMembers(raw, known))
  return faults.length > 0 ? { faults, sound: values as Partial<ValuesOf<M>> } : { values: values as ValuesOf<M> }
}

/** The number of members that were sent. */
function readPlain(
  places: readonly MemberPlace[],
  raw: Readonly<Record<string, unknown>>,
  values: Record<string, unknown>,
  faults: Fault[],
  check: FurtherCheck | undefined,
): number {
  let found = 0
  for (const { key, name, member, pointer } of places) {
    if (!Object.hasOwn(raw, key)) {
      // It may be among the members that were cut off.
      if (member.required && lostIn(Object.keys(raw)) === 0) faults.push({ code: 'required', at: { pointer } })
      else if ('default' in member) values[name] = member.default
      continue
    }
    found++
    const read = member.kind.read(raw[key])
    const wrong = 'fault' in read ? read.fault : check?.(member.kind, read.value)
    if (wrong !== undefined) faults.push({ ...wrong, at: { pointer } })
    else if ('value' in read) values[name] = read.value
  }
  return found
}

function readGroup(
  { name, places, keys }: MemberGroup,
  raw: Readonly<Record<string, unknown>>,
  values: Record<string, unknown>,
  faults: Fault[],
  check: FurtherCheck | undefined,
): void {
  const inside = Object.hasOwn(raw, name) ? raw[name] : {}
  if (!isObject(inside)) {
    faults.push({ ...NO_OBJECT, at: { pointer: pointerTo(name) } })
    return
  }
  const found = readPlain(places, inside, values, faults, check)
  if (Object.keys(inside).length > found)
    faults.push(...unknownMembers(inside, keys).map((fault) => within(pointerTo(name), fault)))
}

interface MemberPlace extends Place<Member<unknown>> {
  readonly pointer: string
}

interface MemberGroup extends Group<Member<unknown>> {
  readonly places: readonly MemberPlace[]
  readonly keys: readonly string[]
  readonly isRequired: boolean
}

const placesOf = onceFor((members: Members) => {
  const { plain, groups } = grouped(Object.entries(members))
  return {
    plain: plain.map(pointed),
    groups: groups.map(
      ({ name, places }): MemberGroup => ({
        name,
        // None has a default: what is unset is not written down.
        places: places.map(({ member, ...place }) => pointed({ ...place, member: withoutDefault(member) })),
        keys: places.map(({ key }) => key),
        isRequired: places.some(({ member }) => member.required),
      }),
    ),
    known: [...plain, ...groups].map(({ name }) => name),
  }
})

const pointed = (place: Place<Member<unknown>>): MemberPlace => ({ ...place, pointer: memberPointer(place.name) })

function withoutDefault({ default: _initial, ...member }: Member<unknown>): Member<unknown> {
  return member
}

/** The pointer to a declared member. A name that a client sent is one step: `pointerTo`. */
export const memberPointer = (name: string): string => {
  const [group, key] = partsOf(name)
  return `${group === '' ? '' : pointerTo(group)}${pointerTo(key)}`
}

/** The members of a body by their declared names: those of a group are listed, if it is an object. */
export function memberEntries(members: readonly string[], raw: object): readonly (readonly [string, unknown])[] {
  const groups = groupsOf(members)
  return Object.entries(raw).flatMap(([name, value]) =>
    groups.has(name) && isObject(value)
      ? Object.entries(value).map(([key, each]) => [`${name}.${key}`, each] as const)
      : [[name, value] as const],
  )
}

/** The groups of some declared names. */
export const groupsOf = onceFor(
  (names: readonly string[]): ReadonlySet<string> =>
    new Set(names.flatMap((name) => (name.includes('.') ? [partsOf(name)[0]] : []))),
)

/** The value of a declared member in a body; undefined if it was not sent. */
export function memberIn(raw: object, name: string): unknown {
  const [group, key] = partsOf(name)
  if (group === '') return Object.hasOwn(raw, key) ? (raw as Readonly<Record<string, unknown>>)[key] : undefined
  const inside = memberIn(raw, group)
  return isObject(inside) ? memberIn(inside, key) : undefined
}

/** The declared name of the member that a pointer leads to. */
export const memberAt = (pointer = ''): string => pointer.slice(1).replaceAll('/', '.')

/** The members of a body that have no declared name, those of a group included. */
export function unknownIn(names: readonly string[], raw: object): readonly Fault[] {
  const groups = groupsOf(names)
  const plain = groups.size === 0 ? names : [...names.filter((name) => !name.includes('.')), ...groups]
  const inside = [...groups].flatMap((group) => {
    const value = memberIn(raw, group)
    if (value === undefined) return []
    const at = pointerTo(group)
    if (!isObject(value)) return [{ ...NO_OBJECT, at: { pointer: at } }]
    const known = names.flatMap((name) => (partsOf(name)[0] === group ? [partsOf(name)[1]] : []))
    return unknownMembers(value, known).map((fault) => within(at, fault))
  })
  return [...unknownMembers(raw, plain), ...inside]
}

/** An object with members by their declared names: those of a group are in one. */
export function nested(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const all = new Map<string, unknown>()
  const groups = new Map<string, [string, unknown][]>()
  for (const [name, value] of entries) {
    const [group, key] = partsOf(name)
    const members = groups.get(group) ?? []
    if (group === '') all.set(name, value)
    else if (members.push([key, value]) === 1) {
      groups.set(group, members)
      all.set(group, members)
    }
  }
  for (const [group, members] of groups) all.set(group, Object.fromEntries(members))
  return Object.fromEntries(all)
}

/** A body with further members by their declared names. */
export function withMembers(
  raw: Readonly<Record<string, unknown>>,
  members: Iterable<readonly [string, unknown]>,
): Readonly<Record<string, unknown>> {
  const further = nested(members)
  const inside = Object.entries(further).map(([name, value]) => {
    const sent = memberIn(raw, name)
    return [name, isObject(value) && isObject(sent) ? { ...sent, ...value } : value]
  })
  return { ...raw, ...Object.fromEntries(inside) }
}

/** A body without a member, by its declared name. */
export function withoutMember(raw: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const [group, key] = partsOf(name)
  if (group === '') return Object.fromEntries(Object.entries(raw).filter(([each]) => each !== key))
  const inside = memberIn(raw, group)
  return isObject(inside) ? { ...raw, [group]: withoutMember(inside, key) } : raw
}

export function writeMembers<M extends Members>(members: M, values: ValuesOf<M>): Record<string, Json> {
  const { plain, groups } = placesOf(members)
  const written: Record<string, Json> = {}
  for (const { name, member } of plain) {
    const value = (values as Record<string, unknown>)[name]
    if (value !== undefined) written[name] = member.kind.write(value)
  }
  if (groups.length === 0) return written
  const inside = Object.entries(values).filter(([name]) => name.includes('.'))
  return { ...written, ...nested(inside.map(([name, value]) => [name, members[name]?.kind.write(value)])) } as never
}

export function membersSchema(members: Members): JsonSchema {
  const { properties, required } = memberProperties(members)
  return objectSchema(properties, required)
}

export const memberProperties = (members: Members) =>
  propertiesOf(
    placesOf(members),
    ({ member }) => memberSchema(member),
    ({ member }) => member.required,
  )

const memberSchema = ({ kind, default: initial }: Member<unknown>): JsonSchema =>
  initial === undefined ? kind.schema : { ...kind.schema, default: kind.write(initial) }

type Properties = { readonly [name: string]: JsonSchema }

/** The properties of an object whose members have places: a group is a closed object of its own. */
export function propertiesOf<T>(
  { plain, groups }: Grouped<T>,
  schemaOf: (place: Place<T>) => JsonSchema,
  isRequired: (place: Place<T>) => boolean = () => false,
): { readonly properties: Properties; readonly required: readonly string[] } {
  const inside = (places: readonly Place<T>[]): Properties =>
    Object.fromEntries(places.map((place) => [place.key, schemaOf(place)]))
  const demanded = (places: readonly Place<T>[]): readonly string[] => places.filter(isRequired).map(({ key }) => key)
  const objects = groups.map(({ name, places }) => [name, objectSchema(inside(places), demanded(places))])
  const needed = groups.filter(({ places }) => places.some(isRequired)).map(({ name }) => name)
  return { properties: { ...inside(plain), ...Object.fromEntries(objects) }, required: [...demanded(plain), ...needed] }
}

/** A closed object. */
export function objectSchema(
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[] = Object.keys(properties),
): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

/** Unknown members. Suggestions take time, so only the first ones get one. */
export function unknownMembers(raw: object, known: readonly string[]): readonly Fault[] {
  const unknown = Object.keys(raw).filter((name) => !known.includes(name))
  const faults = unknown.slice(0, problemBounds.faults).map((name) => unknownMember(name, known))
  const last = faults.at(-1)
  const lost = lostIn(unknown)
  const more = (lost === 0 ? unknown.length : unknown.length - 1 + lost) - faults.length
  return last === undefined || more === 0 ? faults : [...faults.slice(0, -1), { ...last, more }]
}

const unknownMember = (name: string, known: readonly string[]): Fault => ({
  ...reason('unknown', near(nearest(name, known))),
  at: { pointer: pointerTo(name) },
})

/** RFC 6901 §4: the name that a step of a pointer means. */
export const nameAtStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')
