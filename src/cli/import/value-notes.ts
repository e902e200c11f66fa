import type { FileColumn } from '../../imports/cells/reading.ts'
import type { FoundValue } from '../../imports/columns/value-survey.ts'
import { grouped } from '../progress.ts'

/** The values of a list that are named one by one. */
const NAMED = 10

/** The columns that are no fields. */
export function leftOut(columns: readonly FileColumn[], known: ReadonlySet<string>): string | undefined {
  const names = columns.flatMap(({ heading, field }) => (field === null && !known.has(heading) ? [heading] : []))
  if (names.length === 0) return undefined
  return `left out: ${names.map((name) => JSON.stringify(name)).join(', ')}; --map 'HEADING=FIELD' says what a column is`
}

/** The meanings that values got, as somebody said or as other programs use them, and the values that nobody knows. */
export function valueNotes(values: readonly FoundValue[]): readonly string[] {
  const taken = values.filter(({ as }) => as !== null)
  const unknown = values.filter(({ as }) => as === null)
  return [
    ...byColumn(taken).map(
      ([column, those]) => `${column}: ${named(those, ({ as }) => ` as ${meaningText(as ?? {})}`)}`,
    ),
    ...(unknown.length === 0 ? [] : [unknownText(unknown)]),
  ]
}

export const unknownText = (values: readonly FoundValue[]): string =>
  `${byColumn(values)
    .map(([column, those]) => `${column}: nobody knows ${named(those, () => '')}`)
    .join('; ')}; --values FILE says what they mean`

const byColumn = (values: readonly FoundValue[]): readonly (readonly [string, readonly FoundValue[]])[] => [
  ...Map.groupBy(values, ({ column }) => column),
]

function named(values: readonly FoundValue[], more: (value: FoundValue) => string): string {
  const first = values
    .slice(0, NAMED)
    .map((each) => `${JSON.stringify(each.value)} (${grouped(each.count)})${more(each)}`)
  return [...first, ...(values.length > NAMED ? [`${grouped(values.length - NAMED)} more`] : [])].join(', ')
}

const meaningText = (as: { readonly [field: string]: unknown }): string =>
  Object.entries(as)
    .map(([field, value]) => (value === null ? 'empty' : `${field} ${JSON.stringify(value)}`))
    .join(' and ')
