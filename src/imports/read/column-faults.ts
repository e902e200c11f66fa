import { fileBounds } from '../../values/bounds.ts'
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
  /** The first of them. */
  readonly example?: Fault
  /** Set if the cells were left empty, and the rows came in. */
  readonly emptied?: true
}

/** The heading of each field: of the first column, if several have it. */
export type Headings = ReadonlyMap<string, string>

export const headingsOf = (columns: readonly FileColumn[]): Headings =>
  new Map(columns.toReversed().flatMap(({ heading, field }) => (field === null ? [] : [[field, heading]])))

interface FaultGroup {
  readonly column: string | null
  readonly code: string
  readonly example: Fault
  readonly emptied?: true
  count: number
  readonly rows: number[]
  /** The line that was counted last. */
  last?: number
}

/** Groups the faults of rows by column. */
export function columnFaults({ columns }: { readonly columns: readonly FileColumn[] }) {
  const found = new Map<string | null, Map<string, FaultGroup>>()
  const headings = headingsOf(columns)
  const columnOf = ({ at: { pointer } }: Fault): string | null => {
    const field = memberAt(pointer)
    const column = headings.get(field) ?? (field === '' ? null : field)
    // Each line of a file may have another unknown member.
    return found.has(column) || found.size < fileBounds.columns ? column : null
  }
  return {
    add(rows: readonly { readonly line: number; readonly faults: readonly Fault[] }[], isEmptied = false): void {
      for (const { line, faults } of rows) {
        for (const fault of faults) {
          const column = columnOf(fault)
          const ofColumn = found.get(column) ?? new Map<string, FaultGroup>()
          found.set(column, ofColumn)
          const key = isEmptied ? `${fault.code} emptied` : fault.code
          const about = {
            column,
            code: fault.code,
            example: shortened(fault),
            ...(isEmptied && { emptied: true as const }),
          }
          const group = ofColumn.get(key) ?? { ...about, count: 0, rows: [] }
          ofColumn.set(key, group)
          // A row that has a fault twice counts once.
          if (group.last === line) continue
          group.last = line
          group.count++
          if (group.rows.length < fileBounds.listed) group.rows.push(line)
        }
      }
    },
    found: (): readonly ColumnFault[] =>
      [...found.values()]
        .flatMap((each) => [...each.values()])
        .map(({ last: _last, ...group }) => group)
        .toSorted((a, b) => b.count - a.count)
        .slice(0, fileBounds.listed),
  }
}

/** Facts may quote a cell, which can be as long as a row. */
const shortened = (fault: Fault): Fault =>
  JSON.stringify(fault.with ?? {}).length > fileBounds.example ? { code: fault.code, at: fault.at } : fault
