import { onceFor } from '../memoize.ts'
import { isObject } from './is-object.ts'

/**
 * The place of the fields that were added at run time. A thing has `own.budget` as a member like any other; documents
 * have it in the object `own`, and rows in the column `own`: a JSON object of the values that are set, in the order of
 * their names, or null. So rows and stored documents do not depend on the model: a field that comes or goes changes none
 * of them. decisions/0072
 */
export const OWN = 'own'

const START = `${OWN}.`

export const isOwn = (field: string): boolean => field.startsWith(START)

export const ownName = (field: string): string => field.slice(START.length)

export const ownField = (name: string): string => `${START}${name}`

type OwnValues = { readonly [name: string]: unknown }

/** An object as documents have it, with the values in `own` as members like the others. */
export function flattened<T extends object>(document: T): T {
  const { [OWN]: own, ...others } = document as { readonly [OWN]?: unknown }
  return isObject(own) ? ({ ...others, ...named(own) } as T) : document
}

/** The members that a stored text has. */
export const ownMembers = (text: string): object => named(JSON.parse(text) as OwnValues)

const named = (own: OwnValues): object =>
  Object.fromEntries(Object.entries(own).map(([name, value]) => [ownField(name), value]))

/** The values of a thing that are set, in the order of their names. */
export const ownValues = (thing: object): OwnValues => ownOf(thing).values

/** The text that a row and a document have of a thing; null if nothing is set. */
export const ownText = (thing: object): string | null => ownOf(thing).text

interface SetValues {
  readonly values: OwnValues
  readonly text: string | null
}

const ownOf = (thing: object): SetValues => (Object.keys(thing).some(isOwn) ? setIn(thing) : NOTHING)

const NOTHING: SetValues = { values: {}, text: null }

/** Each write asks several times. */
const setIn = onceFor((thing: object): SetValues => {
  const set = Object.entries(thing).filter(([field, value]) => isOwn(field) && (value ?? null) !== null)
  const values = Object.fromEntries(set.map(([field, value]) => [ownName(field), value] as const).sort(byName))
  return { values, text: set.length === 0 ? null : JSON.stringify(values) }
})

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1
