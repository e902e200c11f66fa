import { fileBounds } from '../../values/bounds.ts'
import type { AskedReading } from '../cells/reading.ts'
import type { ColumnFault } from '../read/column-faults.ts'
import type { Matching } from '../read/matching.ts'

/** The findings in a file, and the questions about it. */
export interface FoundInFile {
  readonly asked: readonly AskedReading[]
  readonly faults: readonly ColumnFault[]
}

export const nothingFound: FoundInFile = { asked: [], faults: [] }

/** As members of an import's document, without braces. */
export function foundText(
  { columns, create, badCells }: Pick<Matching, 'columns' | 'create' | 'badCells'>,
  { asked, faults }: FoundInFile,
): string {
  const members = { create: create ?? null, badCells: badCells ?? null, columns, asked, faults }
  return JSON.stringify(members).slice(1, -1)
}

export const readFound = (found: string | null): FoundInFile =>
  found === null ? nothingFound : (JSON.parse(`{${found}}`) as FoundInFile)

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

const isSame = (one: ColumnFault, other: ColumnFault): boolean => one.column === other.column && one.code === other.code
