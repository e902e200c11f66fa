import { fold } from '../../../src/values/fold.ts'

/** A comparison as it is meant, before anything spells, reads or compiles it. */
export interface Comparison {
  readonly field: string
  readonly operator:
    | 'eq'
    | 'ne'
    | 'gt'
    | 'gte'
    | 'lt'
    | 'lte'
    | 'in'
    | 'contains'
    | 'starts'
    | 'ends'
    | 'regex'
    | 'null'
    | 'search'
  readonly values: readonly Plain[]
}

/** Both, either, or not the one part, whatever it leaves unknown. */
export interface Combination {
  readonly logic: 'and' | 'or' | 'not'
  readonly of: readonly Meant[]
}

export type Meant = Comparison | Combination

export const isCombination = (meant: Meant): meant is Combination => 'logic' in meant

export type Plain = string | number | boolean | null
export type PlainRow = Readonly<Record<string, Plain>>
export interface PlainSort {
  readonly field: string
  readonly descending: boolean
  readonly nullsFirst?: boolean
}

/** Choices have an order of their own. */
const declared: Readonly<Record<string, readonly Plain[]>> = {
  pipeline: ['sales', 'renewals'],
  stage: ['lead', 'qualified', 'proposal', 'negotiation', 'contract', 'due', 'terms', 'ready'],
  status: ['open', 'completed', 'cancelled'],
}

/** What a query must give, written for clearness alone. */
export function evaluate(
  rows: readonly PlainRow[],
  meant: readonly Meant[],
  sort: readonly PlainSort[],
  texts: (field: string, value: Plain) => string,
): readonly PlainRow[] {
  const comparisons = meant.filter((each): each is Comparison => !isCombination(each))
  const combinations = meant.filter(isCombination)
  const searches = comparisons.filter(({ operator }) => operator === 'search')
  const others = comparisons.filter(({ operator }) => operator !== 'search')
  const groups = Map.groupBy(others, ({ field, operator }) => `${field} ${operator === 'in' ? 'eq' : operator}`)
  const holds = (row: PlainRow) =>
    [...groups.values()].every((group) => anyHolds(row, group, texts)) &&
    searches.every((each) => finds(row, each)) &&
    combinations.every((each) => isTrue(row, each, texts))
  return rows.filter(holds).toSorted((a, b) => {
    for (const each of sort) {
      const order = comparePlaces(each, a[each.field] ?? null, b[each.field] ?? null)
      if (order !== 0) return order
    }
    return 0
  })
}

/** Nothing inside a combination is merged. */
function isTrue(row: PlainRow, meant: Meant, texts: (field: string, value: Plain) => string): boolean {
  if (!isCombination(meant)) return anyHolds(row, [meant], texts)
  if (meant.logic === 'and') return meant.of.every((each) => isTrue(row, each, texts))
  const some = meant.of.some((each) => isTrue(row, each, texts))
  return meant.logic === 'or' ? some : !some
}

/** Every word occurs in one of the fields, which are named with commas. */
function finds(row: PlainRow, { field, values }: Comparison): boolean {
  const texts = field.split(',').flatMap((name) => (typeof row[name] === 'string' ? [fold(row[name])] : []))
  const words = fold(values.join(' ')).split(/\s+/)
  return words.every((word) => texts.some((text) => text.includes(word)))
}

function anyHolds(
  row: PlainRow,
  group: readonly Comparison[],
  texts: (field: string, value: Plain) => string,
): boolean {
  const [{ field, operator } = { field: '', operator: 'eq' }] = group
  const value = row[field] ?? null
  const asked = group.flatMap(({ values }) => values)
  if (operator === 'null') return asked.includes(value === null)
  if (operator === 'ne') return !asked.includes(value)
  if (value === null) return false
  if (operator === 'regex') return asked.some((pattern) => asRegExp(String(pattern)).test(texts(field, value)))
  const occurs = occurrences[operator]
  if (occurs !== undefined) return asked.some((part) => occurs(fold(texts(field, value)), fold(String(part))))
  return asked.some((other) => {
    const order = compare(field, value, other)
    if (operator === 'gt') return order > 0
    if (operator === 'gte') return order >= 0
    if (operator === 'lt') return order < 0
    if (operator === 'lte') return order <= 0
    return order === 0
  })
}

const occurrences: { readonly [operator: string]: (text: string, part: string) => boolean } = {
  contains: (text, part) => text.includes(part),
  starts: (text, part) => text.startsWith(part),
  ends: (text, part) => text.endsWith(part),
}

const asRegExp = (pattern: string): RegExp =>
  pattern.startsWith('(?i)') ? new RegExp(pattern.slice(4), 'iu') : new RegExp(pattern, 'u')

function comparePlaces({ field, descending, nullsFirst = false }: PlainSort, a: Plain, b: Plain): number {
  if (a === null || b === null) return a === b ? 0 : (a === null) === nullsFirst ? -1 : 1
  return descending ? compare(field, b, a) : compare(field, a, b)
}

export function compare(field: string, a: Plain, b: Plain): number {
  const choices = declared[field]
  if (choices !== undefined) return choices.indexOf(a) - choices.indexOf(b)
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b)
  const left = Array.from(a, (each) => each.codePointAt(0) ?? 0)
  const right = Array.from(b, (each) => each.codePointAt(0) ?? 0)
  const differs = left.findIndex((code, at) => code !== right[at])
  if (differs === -1) return left.length - right.length
  return (left[differs] ?? 0) - (right[differs] ?? -1)
}
