import { type Fault, fault, type Reason } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { findRepeated, parseCounted } from '../../values/json/parse-json.ts'
import { memberEntries, NO_OBJECT, unknownIn } from '../../values/members.ts'
import { type Cell, textOf } from '../cells/cell.ts'
import type { FileColumn } from '../cells/reading.ts'
import { cellColumns } from './cell-columns.ts'
import type { RowLayout } from './layout.ts'
import { missing, placed } from './placed.ts'
import { type ReadValues, type RowAnswers, readCells } from './read-cells.ts'
import { withDefaults } from './settle-row.ts'

/** Turns a record into its values, or returns its faults. */
export type ReadRow = (cells: readonly Cell[]) => ReadValues

export interface RowReader {
  /** Fields that name one thing each. */
  readonly uniques: readonly string[]
  /** From the columns of a file, in whose order the cells of a row are. Returns the fault if one is missing. */
  fromCells(columns: readonly FileColumn[]): { readonly read: ReadRow } | { readonly fault: Reason }
  /** From a line of JSON. */
  readonly fromJson: ReadRow
}

export function rowReader(layout: RowLayout, answers: RowAnswers = {}): RowReader {
  const { columns, oneOf } = layout
  const names = [...columns.keys()]
  return {
    uniques: layout.uniques,
    fromCells(given) {
      const found = cellColumns(given, layout, answers.values)
      if (oneOf.length > 0 && !found.some(({ isNeeded }) => isNeeded))
        return fault('no-column', { columns: names, needed: oneOf, ...(oneOf.length > 1 && { wants: 'any' }) })
      return { read: (cells) => readCells(found, layout, answers, cells) }
    },
    fromJson([line = '']) {
      const parsed = parse(textOf(line))
      if (parsed === undefined) return { faults: [{ code: 'malformed', with: { wants: 'json' }, at: {} }] }
      const { value: raw, written } = parsed
      if (!isObject(raw)) return { faults: [{ ...NO_OBJECT, at: {} }] }
      const sent = new Map(memberEntries(names, raw))
      const repeated = written === Object.keys(raw).length ? undefined : findRepeated(textOf(line))
      if (repeated !== undefined) {
        return { faults: [{ code: 'repeated', with: { wants: 'member' }, at: { pointer: repeated } }] }
      }
      const values: Record<string, unknown> = {}
      const says = (name: string): boolean =>
        sent.has(name) && !(sent.get(name) === null && columns.get(name)?.optional)
      const faults: Fault[] = oneOf.length === 0 || oneOf.some(says) ? [] : [missing(oneOf)]
      faults.push(...unknownIn(names, raw))
      for (const [name, value] of sent) {
        const column = columns.get(name)
        if (column === undefined || column.ignored || !says(name)) continue
        const read = column.kind.read(value)
        if ('fault' in read) faults.push(placed(read.fault, name))
        else values[name] = read.value
      }
      if (faults.length > 0) return { faults }
      const besides = withDefaults(values, answers.defaults ?? {}, [], layout)
      return besides === undefined ? { values } : { values, besides }
    },
  }
}

function parse(line: string): ReturnType<typeof parseCounted> | undefined {
  try {
    return parseCounted(line)
  } catch {
    return undefined
  }
}
