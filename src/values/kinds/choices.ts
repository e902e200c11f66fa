import { fault } from '../faults/fault.ts'
import type { Kind, Read } from './kind.ts'

/** Between the values of a set in a text; no value contains it. */
export const BETWEEN = '; '

/** The end of the name of a form's field that is sent once for each value of a set. */
export const SEVERAL = '[]'

/**
 * A set of words of a closed list: a list in documents, in the order of the closed list, and inside a text of them in
 * the order of their letters, so that equal sets are equal texts, whatever the list is later. A filter compares with one
 * of them. The empty set is null.
 */
export function choices(values: readonly string[]): Kind<string | null> {
  const places = new Map(values.map((value, at) => [value, at]))
  const notOneOf = fault('not-one-of', { values })
  const inOrder = (chosen: readonly string[]): readonly string[] =>
    chosen.toSorted((a, b) => (places.get(a) ?? values.length) - (places.get(b) ?? values.length))
  const kept = (chosen: readonly unknown[]): Read<string | null> => {
    if (!chosen.every((each) => typeof each === 'string' && places.has(each))) return notOneOf
    const distinct = [...new Set(chosen as readonly string[])]
    return { value: distinct.length === 0 ? null : distinct.toSorted().join(BETWEEN) }
  }
  return {
    name: 'choices',
    schema: { type: 'array', items: { type: 'string', enum: values }, uniqueItems: true },
    nullable: false,
    unordered: true,
    // Groups by its values are in this order.
    ranks: places,
    read: (raw) => (Array.isArray(raw) ? kept(raw) : fault('type', { wants: 'list' })),
    readText: (text) => kept(choicesIn(text)),
    readFilter: (text) => (places.has(text) ? { value: text } : notOneOf),
    write: (value) => (value === null ? [] : inOrder(valuesOf(value))),
  }
}

/** The values that a text names, in the closed list or not. */
export const choicesIn = (text: string): readonly string[] =>
  text
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** The values of a set. */
export const valuesOf = (set: string): readonly string[] => set.split(BETWEEN)
