import { type Fault, near, type Reason, reason } from './faults/fault.ts'
import { nearest } from './faults/nearest.ts'
import { lostIn } from './json/lost-members.ts'
import type { Json, JsonSchema, Kind } from './kinds/kind.ts'

export const NO_OBJECT = reason('type', { wants: 'object' })

/** The most faults that are listed; further ones are only counted. */
export const MOST_FAULTS = 50

export interface Member<T> {
  readonly kind: Kind<T>
  readonly required: boolean
  /** The default of an absent member. Without one, the member is absent from the result too. */
  readonly default?: T
  /** Whether an absent one is the time of the write. A repeat that omits it too has the same content. */
  readonly orNow?: true
}

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
  const faults: Fault[] = []
  const values: Record<string, unknown> = {}
  const known = Object.keys(members)
  let found = 0
  for (const name of known) {
    const member = members[name]
    if (member === undefined) continue
    if (!Object.hasOwn(raw, name)) {
      // It may be among the members that were cut off.
      if (member.required && lostIn(Object.keys(raw)) === 0)
        faults.push({ code: 'required', at: { pointer: pointerTo(name) } })
      else if ('default' in member) values[name] = member.default
      continue
    }
    found++
    const read = member.kind.read(raw[name])
    const wrong = 'fault' in read ? read.fault : check?.(member.kind, read.value)
    if (wrong !== undefined) faults.push({ ...wrong, at: { pointer: pointerTo(name) } })
    else if ('value' in read) values[name] = read.value
  }
  if (Object.keys(raw).length > found) faults.push(...unknownMembers(raw, known))
  return faults.length > 0 ? { faults, sound: values as Partial<ValuesOf<M>> } : { values: values as ValuesOf<M> }
}

export function writeMembers<M extends Members>(members: M, values: ValuesOf<M>): Record<string, Json> {
  const written: Record<string, Json> = {}
  for (const [name, { kind }] of Object.entries(members)) {
    const value = (values as Record<string, unknown>)[name]
    if (value !== undefined) written[name] = kind.write(value)
  }
  return written
}

export function membersSchema(members: Members): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const [name, member] of Object.entries(members)) {
    const { kind, default: initial } = member
    properties[name] = initial === undefined ? kind.schema : { ...kind.schema, default: kind.write(initial) }
  }
  return objectSchema(
    properties,
    Object.keys(members).filter((name) => members[name]?.required),
  )
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
  const faults = unknown.slice(0, MOST_FAULTS).map((name) => unknownMember(name, known))
  const last = faults.at(-1)
  const lost = lostIn(unknown)
  const more = (lost === 0 ? unknown.length : unknown.length - 1 + lost) - faults.length
  return last === undefined || more === 0 ? faults : [...faults.slice(0, -1), { ...last, more }]
}

const unknownMember = (name: string, known: readonly string[]): Fault => ({
  ...reason('unknown', near(nearest(name, known))),
  at: { pointer: pointerTo(name) },
})

/** RFC 6901 §3. */
export const pointerTo = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

export const isObject = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw)
