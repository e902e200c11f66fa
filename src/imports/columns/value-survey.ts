import type { ValueAnswers } from '../../model/nouns/imports/value-answers.ts'
import { fileBounds } from '../../values/bounds.ts'
import { type Cell, isBlank, textOf } from '../cells/cell.ts'
import type { FileColumn } from '../cells/reading.ts'
import { type CellColumn, cellColumns } from './cell-columns.ts'
import type { RowLayout } from './layout.ts'
import { valueKey } from './meanings.ts'

/** A value of a column that nobody knows, and what it means, if somebody said so or other programs use it so. */
export interface FoundValue {
  /** The heading. */
  readonly column: string
  readonly value: string
  /** How many rows have it. */
  readonly count: number
  readonly as: { readonly [field: string]: unknown } | null
  /** Whether the file is not imported without an answer: a thing needs the field. */
  readonly isNeeded?: true
  /** Whether it may name a person: that is for the store to find out. */
  readonly isPerson?: true
}

/** Gathers the values of columns that are no values of their fields. */
export function valueSurvey(columns: readonly FileColumn[], layout: RowLayout, answers?: ValueAnswers) {
  const matched = cellColumns(columns, layout, answers).filter(({ meanings }) => meanings !== undefined)
  const gathered = matched.map((column) => ({ column, values: new Map<string, CountedValue | null>() }))
  return {
    isNeeded: matched.length > 0,
    add(cells: readonly Cell[]): void {
      for (const { column, values } of gathered) {
        for (const text of textsIn(column, cells)) count(column, values, text, layout)
      }
    },
    found: (): readonly FoundValue[] =>
      gathered
        .flatMap(({ column, values }) =>
          [...values.values()].flatMap((each) =>
            each === null ? [] : [foundValue(column, each, columns[column.at[0] ?? 0]?.heading ?? '', layout)],
          ),
        )
        .slice(0, fileBounds.values),
  }
}

interface CountedValue {
  readonly value: string
  count: number
}

/** The texts of a cell; a set has several. */
function textsIn({ at, isSet }: CellColumn, cells: readonly Cell[]): readonly string[] {
  const cell = cells[at[0] ?? 0] ?? ''
  if (isBlank(cell) || (typeof cell !== 'string' && (cell.type === 'error' || cell.type === 'formula'))) return []
  const text = textOf(cell)
  return (isSet ? text.split(';') : [text]).filter((each) => each.trim() !== '')
}

function count(column: CellColumn, values: Map<string, CountedValue | null>, text: string, layout: RowLayout): void {
  const key = valueKey(text)
  const known = values.get(key)
  if (known !== undefined) {
    if (known !== null) known.count++
    return
  }
  if (values.size >= fileBounds.names || text.length > fileBounds.value) return
  // A copy, since a part of a text keeps the whole of it in memory.
  const value = Buffer.from(text.trim()).toString()
  values.set(Buffer.from(key).toString(), isKnown(column, text, layout) ? null : { value, count: 1 })
}

function isKnown({ name, read, among }: CellColumn, text: string, { columns }: RowLayout): boolean {
  const kind = columns.get(name)?.kind
  if (kind?.namesUser) return false
  if ('value' in read(text)) return true
  const groups = kind?.within?.groups.keys() ?? []
  return among !== undefined && [undefined, ...groups].some((of) => 'value' in (among.read(text, of) ?? {}))
}

function foundValue(
  { name, meanings, emptiable }: CellColumn,
  { value, count }: CountedValue,
  column: string,
  { columns }: RowLayout,
): FoundValue {
  const as = (meanings?.answered(value) ?? meanings?.preset(value))?.as ?? null
  return {
    ...{ column, value, count, as },
    ...(!emptiable && { isNeeded: true }),
    ...(columns.get(name)?.kind.namesUser && { isPerson: true }),
  }
}
