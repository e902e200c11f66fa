import { DEFAULT_SIZE } from '../../../queries/settings.ts'
import { answerBounds } from '../../../values/bounds.ts'
import { isObject } from '../../../values/json/is-object.ts'
import { textComparisons } from './filters.ts'

/** The cost of a field, in things that are read, and the number of items in its list. */
export interface FieldCost {
  readonly nodes: number
  readonly items?: number
}

/** Estimates a field by its arguments, before anything is read. */
export type Estimate = (args: { readonly [name: string]: unknown }) => FieldCost

/** Reading everything, or searching its texts, counts as this many things. */
const SCAN = 1000
const FILTERED = 100

export const oneThing: Estimate = () => ({ nodes: 1 })
export const change: Estimate = () => ({ nodes: 10 })
export const scan: Estimate = () => ({ nodes: SCAN })

/** Things related to one. */
export const relatedPage =
  (most: number): Estimate =>
  ({ first, where, orderBy }) => {
    const size = sizeIn(first, most, most)
    const isPlain = (where ?? orderBy ?? null) === null
    return { nodes: size + (isPlain ? 0 : searchesText(where) ? SCAN : FILTERED), items: size }
  }

export const page: Estimate = ({ first, last, before, where, search }) => {
  const size = sizeIn(first ?? last, DEFAULT_SIZE, answerBounds.page)
  // Without a cursor, the end of a list is found by counting.
  const counts = last !== undefined && before === undefined ? SCAN : 0
  const filters = where === undefined ? 0 : searchesText(where) ? SCAN : FILTERED
  return { nodes: size + counts + filters + (search === undefined ? 0 : SCAN), items: size }
}

/** Groups are computed from everything. */
export const groups: Estimate = ({ first }) => {
  const size = sizeIn(first, DEFAULT_SIZE, answerBounds.page)
  return { nodes: SCAN + size, items: size }
}

/** One is read if none is wanted. */
const sizeIn = (asked: unknown, usual: number, most: number): number =>
  typeof asked === 'number' && asked >= 0 ? Math.min(asked || 1, most) : usual

/** They examine the text of each row. */
const costly: ReadonlySet<string> = new Set([...textComparisons, 'unknown'])

function searchesText(where: unknown): boolean {
  if (Array.isArray(where)) return where.some(searchesText)
  if (!isObject(where)) return false
  return Object.entries(where).some(([name, value]) => costly.has(name) || searchesText(value))
}
