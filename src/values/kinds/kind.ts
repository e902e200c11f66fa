// A kind of value: what it looks like in JSON, in text (queries, forms, CSV), and what it is inside.
// Every parameter, field and filter of the service is of one of these kinds, so a value means the same everywhere.

import { fault, type Reason } from '../faults/fault.ts'
import type { Json } from '../json/json.ts'
import { onceFor } from '../memoize.ts'

export type JsonSchema = { readonly [keyword: string]: Json }

export type Read<T> = { readonly value: T } | { readonly fault: Reason }

export type KindName =
  | 'text'
  | 'integer'
  | 'amount'
  | 'date'
  | 'instant'
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'uuid'
  | 'json'

export interface Kind<T> {
  readonly name: KindName
  readonly schema: JsonSchema
  readonly nullable: boolean
  /** The declared order of a choice's values; absent if values sort as texts. */
  readonly ranks?: ReadonlyMap<unknown, number>
  /** Whether the values of a choice and their order can be changed while the service runs. */
  readonly arranged?: true
  /** The titles of such values. */
  readonly words?: ReadonlyMap<string, Titled>
  /** Set if the values of a choice, and their order, depend on another field of the same thing. */
  readonly within?: Within
  /** The resource whose key it is. */
  readonly refersTo?: string
  /** Whether it names only things that are not deleted, which then stay; any other reference names deleted ones too. */
  readonly isLink?: true
  /** Whether it is the name of a user, if there is a user with that name; `me` in a filter is the caller's. */
  readonly namesUser?: true
  /** Whether it needs users: without any, another such kind takes any text. */
  readonly mustExist?: true
  /** What happens to the referring thing when that thing is removed; absent if the removal is refused. */
  readonly without?: Without
  /** The member that names the collection that this query is for. */
  readonly queryOf?: string
  /** The decimals of an amount, which is kept as an integer of its smallest unit; absent for money, which has three. */
  readonly decimals?: number
  /** Whether an amount may lie beyond the safe integers: an earlier release kept such totals. */
  readonly isTotal?: true
  /** From a parsed JSON value. */
  read(raw: unknown): Read<T>
  /** From text, as in a query, a form or a CSV cell; never null. */
  readText(text: string): Read<T>
  /** Reads a filter's text, which may lie outside the allowed range. Absent if `readText` does the same. */
  readFilter?(text: string): Read<T>
  /** Texts that stand for several values in a filter. */
  readonly groups?: ReadonlyMap<string, readonly T[]>
  /** The words of people for it, if it belongs to a field that was added at run time. */
  readonly titled?: KindTitles
  /** Completes a value that was assembled from the fields of a form: people type titles, not names. */
  fromParts?(parts: Json): Json
  /** The target of a text: a page, a mailbox or a telephone. */
  readonly contact?: 'url' | 'email' | 'tel'
  /** Whether values have no order: a sort and a range are refused. */
  readonly unordered?: true
  /** Back to JSON; the inverse of `read`. */
  write(value: T): Json
}

/** The values that a choice has in a thing, by the value that another of its fields has. */
export interface Within {
  /** The other field. */
  readonly field: string
  /** By the other field's value, in its order: the ranks of the values; no two ranks of all are equal. */
  readonly ranks: ReadonlyMap<unknown, ReadonlyMap<unknown, number>>
  /** The titles of the other field's values, and of the values there. */
  readonly groups: ReadonlyMap<unknown, WordGroup>
}

export interface WordGroup extends Titled {
  readonly words: ReadonlyMap<string, Titled>
}

/** The ranks of both values together: such a choice is sorted by them, and a cursor has them so. */
export const jointRanks = onceFor(
  ({ ranks }: Within): ReadonlyMap<unknown, number> =>
    new Map([...ranks].flatMap(([of, words]) => [...words].map(([word, rank]) => [joint(of, word), rank]))),
)

/** Both values together; neither contains the separator. */
export const joint = (of: unknown, word: unknown): string => `${of}${JOINED_BY}${word}`
export const JOINED_BY = '/'

/** A title, in other languages too, and those of its values. */
export interface KindTitles extends Titled {
  readonly help?: string | null | undefined
  /** The heading under which pages show it. */
  readonly group?: string | null | undefined
  readonly values?: ReadonlyMap<string, Titled>
}

export interface Titled {
  readonly title: string
  readonly titles?: Readonly<Record<string, string>> | undefined
}

/** The referring thing stays and refers to nothing, or it is removed too. */
export type Without = 'stays' | 'goes'

/** Whether its values can be added up. */
export const isNumeric = ({ name }: Pick<Kind<unknown>, 'name'>): boolean => name === 'integer' || name === 'amount'

/** The value that a filter compares with, or the reason why the text is not a value. */
export const readFilter = <T>(kind: Kind<T>, text: string): Read<T> => (kind.readFilter ?? kind.readText)(text)

/** A kind that is never null: null is a missing value. */
export const present = <T>(kind: Kind<T>): Kind<T> => ({
  ...kind,
  read(raw) {
    const read = raw === null ? { value: null } : kind.read(raw)
    // No choices are none at all.
    return 'value' in read && read.value === null ? fault('required') : (read as Read<T>)
  },
})

export function nullable<T>({ groups: _groups, ...kind }: Kind<T>): Kind<T | null> {
  return {
    ...kind,
    schema: { anyOf: [kind.schema, { type: 'null' }] },
    nullable: true,
    read: (raw) => (raw === null ? { value: null } : kind.read(raw)),
    write: (value) => (value === null ? null : kind.write(value)),
  }
}

/** With words for the documents of the interface. */
export const described = <T>(kind: Kind<T>, words: { readonly description: string }): Kind<T> => ({
  ...kind,
  schema: { ...kind.schema, ...words },
})

/** The name of a user when it is set, once there are users. The name stays when the user goes. */
export const userName = <T>(kind: Kind<T>): Kind<T> => ({ ...kind, namesUser: true })

/** The same, also while there are no users. */
export const existingUser = <T>(kind: Kind<T>): Kind<T> => ({ ...kind, namesUser: true, mustExist: true })

/** A query of the collection that another member names. */
export const queryOf = <T>(member: string, kind: Kind<T>): Kind<T> => ({ ...kind, queryOf: member })

/** The key of a thing of another resource that is not deleted, and is not while it is named. */
export const linkTo = <T>(resource: string, kind: Kind<T>): Kind<T> => ({
  ...referenceTo(resource, kind),
  isLink: true,
})

/** The key of another resource. */
export const referenceTo = <T>(resource: string, kind: Kind<T>, without?: Without): Kind<T> => ({
  ...kind,
  refersTo: resource,
  ...(without && { without }),
})
