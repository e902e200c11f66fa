import type { Fault } from '../../values/faults/fault.ts'
import { memberAt } from '../../values/members.ts'
import type { FileColumn } from '../cells/reading.ts'

/** A kind of fault in a column, how many rows have it, and the first of their lines. */
export interface ColumnFault {
  /** The heading, or the name of a field that no column has; null if the fault is one of the whole row. */
  readonly column: string | null
  readonly code: string
  readonly count: number
  readonly rows: readonly number[]
}

/** The number of lines that are named, and of kinds of faults. */
const MOST = 50

/** The heading of each field: of the first column, if several have it. */
export type Headings = ReadonlyMap<string, string>

export const headingsOf = (columns: readonly FileColumn[]): Headings =>
  new Map(columns.toReversed().flatMap(({ heading, field }) => (field === null ? [] : [[field, heading]])))

/** Groups the faults of rows by column. */
export function columnFaults({ columns }: { readonly columns: readonly FileColumn[] }) {
  const found = new Map<string, { column: string | null; code: string; count: number; rows: number[] }>()
  const headings = headingsOf(columns)
  const columnOf = ({ at: { pointer } }: Fault): string | null => {
    const field = memberAt(pointer)
    return headings.get(field) ?? (field === '' ? null : field)
  }
  return {
    add(rows: readonly { readonly line: number; readonly faults: readonly Fault[] }[]): void {
      for (const { line, faults } of rows) {
        // A row that has a fault twice counts once.
        const kinds = new Map(faults.map((fault) => [`${fault.code} ${columnOf(fault)}`, fault]))
        for (const [key, fault] of kinds) {
          const group = found.get(key) ?? { column: columnOf(fault), code: fault.code, count: 0, rows: [] }
          found.set(key, group)
          group.count++
          if (group.rows.length < MOST) group.rows.push(line)
        }
      }
    },
    found: (): readonly ColumnFault[] => [...found.values()].toSorted((a, b) => b.count - a.count).slice(0, MOST),
  }
}
