import type { Fault } from '../../values/faults/fault.ts'
import { memberAt } from '../../values/members.ts'
import type { FileColumn } from '../cells/reading.ts'

/** A kind of fault in a column, how many rows have it, and the first of their lines. */
export interface ColumnFault {
  /** The heading; null if the fault is not one of a column. */
  readonly column: string | null
  readonly code: string
  readonly count: number
  readonly rows: readonly number[]
}

/** The number of lines that are named, and of kinds of faults. */
const MOST = 50

/** Groups the faults of rows by column. */
export function columnFaults({ columns }: { readonly columns: readonly FileColumn[] }) {
  const found = new Map<string, { column: string | null; code: string; count: number; rows: number[] }>()
  // The first column of a field that several have; a fault of the whole row has none.
  const headings = new Map(
    columns.toReversed().flatMap(({ heading, field }) => (field === null ? [] : [[field, heading]])),
  )
  return {
    add(rows: readonly { readonly line: number; readonly faults: readonly Fault[] }[]): void {
      for (const { line, faults } of rows) {
        for (const { code, at } of faults) {
          const column = headings.get(memberAt(at.pointer)) ?? null
          const key = `${code} ${column}`
          const group = found.get(key) ?? { column, code, count: 0, rows: [] }
          found.set(key, group)
          group.count++
          if (group.rows.length < MOST) group.rows.push(line)
        }
      }
    },
    found: (): readonly ColumnFault[] => [...found.values()].toSorted((a, b) => b.count - a.count).slice(0, MOST),
  }
}
