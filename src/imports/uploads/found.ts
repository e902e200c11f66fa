import { fileBounds } from '../../values/bounds.ts'
import type { AskedReading } from '../cells/reading.ts'
import type { FoundValue } from '../columns/value-survey.ts'
import type { ColumnFault } from '../read/column-faults.ts'
import type { Matching } from '../read/matching.ts'

/** The findings in a file, and the questions about it. */
export interface FoundInFile {
  readonly asked: readonly AskedReading[]
  /** The values that nobody knows, and what they mean. */
  readonly values: readonly MatchedValue[]
  readonly faults: readonly ColumnFault[]
  /** How many rows look like things that are there, if no column says which thing a row is. */
  readonly looksKnown: number
  /** How many things that rows name are made. */
  readonly creates: number
}

export type MatchedValue = Pick<FoundValue, 'column' | 'value' | 'count' | 'as'>

export const nothingFound: FoundInFile = { asked: [], values: [], faults: [], looksKnown: 0, creates: 0 }

/** As members of an import's document, without braces. */
export function foundText(
  { columns, create, badCells, defaults, sheet, headerAt }: Matching,
  { asked, values, faults, looksKnown, creates }: FoundInFile,
): string {
  const said = { create: create ?? null, badCells: badCells ?? null, defaults: defaults ?? {} }
  const place = { sheet: sheet ?? null, headings: headerAt === 0 ? null : headerAt }
  return JSON.stringify({ ...said, ...place, columns, asked, values, faults, looksKnown, creates }).slice(1, -1)
}

export const readFound = (found: string | null): FoundInFile =>
  found === null ? nothingFound : { ...nothingFound, ...(JSON.parse(`{${found}}`) as Partial<FoundInFile>) }

/** The faults of a run that continues an earlier one. */
export function joinedFaults(before: readonly ColumnFault[], after: readonly ColumnFault[]): readonly ColumnFault[] {
  const others = after.filter((each) => !before.some((one) => isSame(one, each)))
  const joined = before.map((each) => {
    const again = after.find((one) => isSame(one, each))
    if (again === undefined) return each
    return { ...each, count: each.count + again.count, rows: [...each.rows, ...again.rows].slice(0, fileBounds.listed) }
  })
  return [...joined, ...others].toSorted((a, b) => b.count - a.count).slice(0, fileBounds.listed)
}

const isSame = (one: ColumnFault, other: ColumnFault): boolean =>
  one.column === other.column && one.code === other.code && one.emptied === other.emptied
