import { notBefore } from '../../values/kinds/time.ts'
import { type Customer, customer } from './customer.ts'

/**
 * Many customers as columns, so that a million rows do not become a million objects,
 * and a chunk crosses threads as a few texts and three arrays.
 */
export interface CustomerChunk {
  readonly rows: number
  /** NULL if the row has no id: the store assigns one. */
  readonly ids: Float64Array<ArrayBuffer>
  /** The numbers of all rows, concatenated. */
  readonly numbers: Int32Array<ArrayBuffer>
  /**
   * The texts of all rows, concatenated, one string for every `SEGMENT` rows:
   * short strings are garbage-collected as soon as they are read, long ones would pile up.
   */
  readonly texts: readonly string[]
  /** The lengths of each row's texts. */
  readonly lengths: Int16Array<ArrayBuffer>
}

/** A row with the given fields only: an existing customer keeps the others. */
export type GivenCustomer = Pick<Customer, 'name'> & Partial<Omit<Customer, 'updatedAt' | 'revision'>>

/** Stand for a missing value in a column of numbers. */
export const NULL = -1
const ABSENT = -2

const SEGMENT = 128

/** The fields that a client gives. */
type GivenField = keyof typeof customer.create
const given = Object.keys(customer.create) as GivenField[]
const numeric = given.filter((name) => customer.kinds[name].name === 'integer')
const textual = [...given.filter((name) => !numeric.includes(name)), 'createdAt'] as const

type ChunkRow = Record<string, string | number | null | undefined>

export interface ChunkBuilder {
  readonly rows: () => number
  add(customer: GivenCustomer): void
  /** The rows added since the last call. */
  take(): CustomerChunk
}

export function chunkBuilder(size: number): ChunkBuilder {
  let rows = 0
  let columns = newColumns(size)
  let parts: string[] = []
  let texts: string[] = []

  const endSegment = (): void => {
    texts.push(parts.join(''))
    parts = []
  }

  return {
    rows: () => rows,
    add(added) {
      const row = added as ChunkRow
      columns.ids[rows] = (row.id as number | undefined) ?? NULL
      for (let at = 0; at < numeric.length; at++) {
        const value = row[numeric[at] as string] as number | null | undefined
        columns.numbers[rows * numeric.length + at] = value === undefined ? ABSENT : (value ?? NULL)
      }
      for (let at = 0; at < textual.length; at++) {
        const text = row[textual[at] as string] as string | null | undefined
        columns.lengths[rows * textual.length + at] = text === undefined ? ABSENT : text === null ? NULL : text.length
        if (text) parts.push(text)
      }
      rows++
      if (rows % SEGMENT === 0) endSegment()
    },
    take() {
      endSegment()
      const chunk = { rows, texts, ...columns }
      rows = 0
      columns = newColumns(size)
      texts = []
      return chunk
    },
  }
}

const newColumns = (size: number) => ({
  ids: new Float64Array(size),
  numbers: new Int32Array(size * numeric.length),
  lengths: new Int16Array(size * textual.length),
})

/** Reads the rows of a chunk in their order. */
export function chunkReader({ ids, numbers, texts, lengths }: CustomerChunk): (at: number) => GivenCustomer {
  let segment = ''
  let place = 0
  const number = (at: number): number | null | undefined => {
    const value = numbers[at] ?? ABSENT
    return value >= 0 ? value : value === ABSENT ? undefined : null
  }
  const text = (at: number): string | null | undefined => {
    const length = lengths[at] ?? ABSENT
    if (length < 0) return length === ABSENT ? undefined : null
    place += length
    return segment.slice(place - length, place)
  }
  return (at) => {
    if (at % SEGMENT === 0) {
      segment = texts[at / SEGMENT] ?? ''
      place = 0
    }
    const id = ids[at] ?? NULL
    return givenCustomer(id === NULL ? undefined : id, number, at * numeric.length, text, at * textual.length)
  }
}

/** If the id was deleted before, the new customer continues after its last revision. */
export function newCustomer(row: GivenCustomer, id: number, now: string, lastRevision: number): Customer {
  const createdAt = row.createdAt ?? now
  return filledCustomer(row, id, createdAt, notBefore(createdAt, now), lastRevision + 1)
}

// Compiled, since a million rows become objects twice: one that is put together name by name takes five times as long.

const givenCustomer = new Function(
  'id, number, numbersFrom, text, textsFrom',
  `return { id, ${[
    ...numeric.map((name, at) => `${name}: number(numbersFrom + ${at})`),
    ...textual.map((name, at) => `${name}: text(textsFrom + ${at})`),
  ].join(', ')} }`,
) as (
  id: number | undefined,
  number: (at: number) => number | null | undefined,
  numbersFrom: number,
  text: (at: number) => string | null | undefined,
  textsFrom: number,
) => GivenCustomer

const blank: ChunkRow = customer.blank(0, '')
const orBlank = (name: string): string => `${name}: row.${name} ?? ${JSON.stringify(blank[name])}`

const filledCustomer = new Function(
  'row, id, createdAt, updatedAt, revision',
  `return { ${customer.names.map((name) => (name in customer.create ? orBlank(name) : name)).join(', ')} }`,
) as (row: GivenCustomer, id: number, createdAt: string, updatedAt: string, revision: number) => Customer

/** What all rows of a chunk have as new customers, because none gives it. */
export function sharedByRows({ rows, numbers, lengths }: CustomerChunk, now: string): Partial<Customer> {
  const isGiven = (values: Int32Array | Int16Array, width: number, column: number): boolean => {
    for (let row = 0; row < rows; row++) if ((values[row * width + column] ?? ABSENT) >= 0) return true
    return false
  }
  const missing: readonly string[] = [
    ...numeric.filter((_, column) => !isGiven(numbers, numeric.length, column)),
    ...textual.filter((_, column) => !isGiven(lengths, textual.length, column)),
  ]
  const blanks = Object.fromEntries(
    missing.filter((name) => name in customer.create).map((name) => [name, blank[name]]),
  )
  return { ...blanks, ...(missing.includes('createdAt') && { createdAt: now, updatedAt: now }) }
}

/** The fields in which a row differs from the existing customer. */
export const changedBy = (row: GivenCustomer, before: Customer): readonly (typeof given)[number][] =>
  given.filter((name) => row[name] !== undefined && row[name] !== before[name])

export function changedCustomer(row: GivenCustomer, before: Customer, now: string): Customer {
  const sets = Object.fromEntries(changedBy(row, before).map((name) => [name, row[name] ?? null]))
  return { ...before, ...sets, updatedAt: notBefore(before.updatedAt, now), revision: before.revision + 1 }
}
