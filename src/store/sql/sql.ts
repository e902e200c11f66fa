import type { Value } from '../../queries/query.ts'

/** A piece of SQL: its text, with `?` for each value, and the source of those values. */
export interface Sql {
  readonly text: string
  readonly slots: readonly Slot[]
}

/** Takes a value from those of a query, so that one text serves every query of its shape. */
export type Slot = (given: QueryValues) => Value

/** The values that differ between two queries of one shape. */
export interface QueryValues {
  readonly terms: readonly { readonly values: readonly Value[] }[]
  /** The row that the page continues from. */
  readonly cursor: readonly Value[]
  readonly skip: number
  readonly size: number
  /** The number of rows that a step of a search examines. */
  readonly step: number
  /** The row id after which a step begins, if it follows them. */
  readonly from: number
  /** The values of a field that a step along its index begins with, and ends before. */
  readonly between: readonly [from: string, to: string]
  /** The row ids that a search has found, as a JSON array. */
  readonly rowIds: string
}

/** Composes pieces; a string is SQL text. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Sql | string)[]): Sql {
  let text = strings[0] ?? ''
  const slots: Slot[] = []
  for (const [at, part] of parts.entries()) {
    if (typeof part === 'string') text += part
    else {
      text += part.text
      slots.push(...part.slots)
    }
    text += strings[at + 1] ?? ''
  }
  return { text, slots }
}

export const raw = (text: string): Sql => ({ text, slots: [] })

export function join(pieces: readonly Sql[], separator: string): Sql {
  return { text: pieces.map(({ text }) => text).join(separator), slots: pieces.flatMap(({ slots }) => slots) }
}
