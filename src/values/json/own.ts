import { isObject } from './is-object.ts'

/**
 * The values of added fields. A thing has them as one text: a JSON object of those that are set, in the order of their
 * names, or null. So things, rows and stored documents do not depend on the model: a field that comes or goes changes
 * none of them, and two things are equal in them if the texts are. Everything else names such a value like a field,
 * `own.budget`. decisions/0062
 */
export const OWN = 'own'

const START = `${OWN}.`

export const isOwn = (field: string): boolean => field.startsWith(START)

export const ownName = (field: string): string => field.slice(START.length)

export const ownField = (name: string): string => `${START}${name}`

type OwnValues = { readonly [name: string]: unknown }

const NOTHING: OwnValues = {}

/** Most readers ask for several values of one thing. */
let last: { readonly text: string; readonly values: OwnValues } = { text: '{}', values: NOTHING }

/** The values that are set, from the text of a thing. */
export function ownValues(text: string | null | undefined): OwnValues {
  if (text === null || text === undefined) return NOTHING
  if (last.text !== text) last = { text, values: JSON.parse(text) as OwnValues }
  return last.values
}

/** One of them; null if it is not set. The thing may also have been read from a document, where they are an object. */
export function ownValueIn(thing: object, field: string): unknown {
  const own = (thing as { readonly own?: unknown }).own
  const values = typeof own === 'object' ? own : ownValues(own as string | undefined)
  const name = ownName(field)
  return values !== null && Object.hasOwn(values, name) ? (values as OwnValues)[name] : null
}

/** An object as documents have it, with the values of its own fields as members like the others. */
export function flattened<T extends object>(document: T): T {
  const { own, ...others } = document as { readonly own?: unknown }
  if (!isObject(own)) return document
  return { ...others, ...Object.fromEntries(Object.entries(own).map(([name, value]) => [ownField(name), value])) } as T
}

/** A change of a thing with the values of added fields as the text that the thing has afterwards. */
export function withOwnText<C extends object>(thing: object, change: C): C {
  const own = Object.entries(change).filter(([name]) => isOwn(name))
  if (own.length === 0) return change
  const others = Object.fromEntries(Object.entries(change).filter(([name]) => !isOwn(name)))
  const before = ownValues((thing as { readonly own?: string | null }).own)
  return { ...others, [OWN]: ownText({ ...before, ...named(own) }) } as unknown as C
}

const named = (fields: readonly (readonly [string, unknown])[]): OwnValues =>
  Object.fromEntries(fields.map(([field, value]) => [ownName(field), value]))

/** Null values are not set. */
export function ownText(values: OwnValues): string | null {
  const set = Object.keys(values)
    .filter((name) => (values[name] ?? null) !== null)
    .sort()
  return set.length === 0 ? null : JSON.stringify(Object.fromEntries(set.map((name) => [name, values[name]])))
}
