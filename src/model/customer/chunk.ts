import type { Customer } from './customer.ts'

/**
 * Many customers as columns: a million rows must not become a million objects,
 * and a chunk crosses threads as a few texts and four arrays.
 */
export interface CustomerChunk {
  readonly rows: number
  /** NULL where the row has none: the store assigns it. */
  readonly ids: Float64Array<ArrayBuffer>
  readonly ages: Int16Array<ArrayBuffer>
  readonly children: Int16Array<ArrayBuffer>
  /**
   * Name, email, country and time of making of each row, one behind the other, a text for every `SEGMENT` rows:
   * texts this short are collected as soon as they are read, longer ones would gather until memory is short.
   */
  readonly texts: readonly string[]
  /** Four lengths for each row. */
  readonly lengths: Int16Array<ArrayBuffer>
}

/** A row of which only what was given is there: a customer that exists keeps the rest. */
export type GivenCustomer = Pick<Customer, 'name'> &
  Partial<Pick<Customer, 'id' | 'email' | 'age' | 'children' | 'country' | 'createdAt'>>

/** In a column, in the place of a value. */
export const NULL = -1
export const ABSENT = -2

export const SEGMENT = 128

/** How many texts a row has. */
export const CHUNK_TEXTS = 4

export interface ChunkBuilder {
  readonly rows: () => number
  add(customer: GivenCustomer): void
  /** What was added since the last time. */
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

  const addText = (column: number, text: string | null | undefined): void => {
    columns.lengths[rows * CHUNK_TEXTS + column] = text === undefined ? ABSENT : text === null ? NULL : text.length
    if (text) parts.push(text)
  }

  return {
    rows: () => rows,
    add({ id, name, email, age, children, country, createdAt }) {
      columns.ids[rows] = id ?? NULL
      columns.ages[rows] = age === undefined ? ABSENT : (age ?? NULL)
      columns.children[rows] = children === undefined ? ABSENT : (children ?? NULL)
      addText(0, name)
      addText(1, email)
      addText(2, country)
      addText(3, createdAt)
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
  ages: new Int16Array(size),
  children: new Int16Array(size),
  lengths: new Int16Array(size * CHUNK_TEXTS),
})
