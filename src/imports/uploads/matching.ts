import { nearest } from '../../values/faults/nearest.ts'
import { fold } from '../../values/fold.ts'
import type { DateOrder } from '../read/date-order.ts'
import type { Encoding } from '../read/recognise.ts'

/** How an uploaded file is read: its encoding, its delimiter, and which field each of its columns is. */
export interface Matching {
  readonly encoding: Encoding
  readonly delimiter: string
  readonly header: readonly string[]
  /** The field of each column of the header; null if the column is ignored. */
  readonly columns: readonly (string | null)[]
  /** Absent in uploads of earlier releases. */
  readonly dates?: DateOrder
}

/** The possible names of a field, its own first. */
export type FieldNames = ReadonlyMap<string, readonly string[]>

/**
 * Guesses the field of each column: first equal names, then near ones, then headings that contain the name, as in
 * "Telephone number". No field is assigned to two columns.
 */
export function guessColumns(header: readonly string[], names: FieldNames): readonly (string | null)[] {
  const known = new Map<string, string>()
  for (const [field, called] of names) {
    for (const name of called) if (!known.has(plain(name))) known.set(plain(name), field)
  }
  const found: (string | null)[] = header.map(() => null)
  const take = (guess: (heading: string) => string | undefined): void => {
    for (const [at, cell] of header.entries()) {
      const heading = plain(cell)
      const field = found[at] === null && heading !== '' ? known.get(guess(heading) ?? '') : undefined
      if (field !== undefined && !found.includes(field)) found[at] = field
    }
  }
  take((heading) => heading)
  take((heading) => (heading.length >= SHORTEST ? nearest(heading, known.keys()) : undefined))
  take((heading) =>
    [...known.keys()]
      .filter((name) => name.length >= SHORTEST && heading.includes(name))
      .toSorted((a, b) => b.length - a.length)
      .at(0),
  )
  return found
}

/** Shorter names are too similar to be guessed. */
const SHORTEST = 4

const plain = (name: string): string => fold(name).replaceAll(/[^\p{Letter}\p{Number}]/gu, '')
