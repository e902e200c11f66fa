import type { Defaults, ValueAnswers } from '../../model/nouns/imports/value-answers.ts'
import type { Fault } from '../../values/faults/fault.ts'
import type { Read } from '../../values/kinds/kind.ts'
import { type Cell, isBlank, textOf } from '../cells/cell.ts'
import type { AmountInCell } from '../cells/cell-reader.ts'
import { type CellColumn, cellOf } from './cell-columns.ts'
import type { GivenValues, RowLayout } from './layout.ts'
import type { Meaning } from './meanings.ts'
import { missing, placed } from './placed.ts'
import { type MeantCell, type RowMoney, settleCurrency, settleMeanings, withDefaults } from './settle-row.ts'
import { isTotals } from './totals-row.ts'

/** The values of a record; or why it has none. */
export type ReadValues = SoundValues | { readonly faults: readonly Fault[] }

interface SoundValues {
  readonly values: GivenValues
  /** Further values of the thing if it is new, from the defaults. */
  readonly besides?: GivenValues
  /** The faults of cells that were left empty. */
  readonly emptied?: readonly Fault[]
}

/** The answers of a person about the cells of a file, beyond its columns. */
export interface RowAnswers {
  /** Unreadable cells that a thing does not need count as empty. */
  readonly empties?: boolean
  readonly values?: ValueAnswers | undefined
  readonly defaults?: Defaults | undefined
}

/** Whether spaces alone are the text that an export has of its thing. */
function isMeant({ read }: CellColumn, cell: Cell, values: Record<string, unknown>): boolean {
  if (cell === '' || values.id === undefined) return false
  const kept = read(cell)
  return 'value' in kept && kept.value === cell
}

/** The value of a cell; a choice may say another field's value too. */
function readCell({ name, among, read }: CellColumn, cell: Cell, values: Record<string, unknown>): Read<unknown> {
  // Without an id a reference names the thing: it is compared exactly, and nobody sees a space at its end.
  if (name === 'reference' && values.id === undefined) return read(textOf(cell).trim())
  const found = among?.read(cell, values[among.field])
  if (among === undefined || found === undefined) return read(cell)
  if ('fault' in found) return found
  values[among.field] = found.value.of
  return { value: found.value.value }
}

export function readCells(
  columns: readonly CellColumn[],
  layout: RowLayout,
  { empties = false, defaults = {} }: Pick<RowAnswers, 'empties' | 'defaults'>,
  cells: readonly Cell[],
): ReadValues {
  if (isTotals(cells)) return { faults: [{ code: 'totals-row', at: {} }] }
  const values: Record<string, unknown> = {}
  let isWhole = layout.oneOf.length === 0 || layout.oneOf.some((name) => Object.hasOwn(defaults, name))
  // Nearly every row has none.
  let faults: Fault[] | undefined
  let emptied: Fault[] | undefined
  let money: RowMoney[] | undefined
  let meant: MeantCell[] | undefined
  for (const column of columns) {
    const { name, isNeeded, empty } = column
    const cell = cellOf(column, cells)
    if (isBlank(cell) && !isMeant(column, cell, values)) {
      if (empty !== undefined) values[name] = empty.value
      continue
    }
    isWhole ||= isNeeded
    const read = readMeaning(column, cell, values)
    if ('meaning' in read) {
      meant = [...(meant ?? []), { column, meaning: read.meaning }]
      if (empty !== undefined) values[name] = empty.value
    } else if ('value' in read) {
      values[name] = column.isMoney ? (read.value as AmountInCell).amount : read.value
      if (column.isMoney) money = [...(money ?? []), { ...(read.value as AmountInCell), column }]
    } else if (empties && column.emptiable) {
      if (empty !== undefined) values[name] = empty.value
      emptied = [...(emptied ?? []), placed(read.fault, name)]
    } else faults = [...(faults ?? []), placed(read.fault, name)]
  }
  if (!isWhole) return { faults: [missing(layout.oneOf), ...(faults ?? [])] }
  const wrong = [
    ...((money && layout.currency && settleCurrency(values, money, layout.currency)) ?? []),
    ...(meant === undefined ? [] : settleMeanings(values, meant, columns, cells)),
  ]
  if (faults !== undefined || wrong.length > 0) return { faults: [...(faults ?? []), ...wrong] }
  const besides = withDefaults(values, defaults, columns, layout)
  return { values, ...(besides && { besides }), ...(emptied && { emptied }) }
}

/** An answer counts before what is known, and a preset only where nothing is. */
function readMeaning(
  column: CellColumn,
  cell: Cell,
  values: Record<string, unknown>,
): Read<unknown> | { readonly meaning: Meaning } {
  const { meanings } = column
  const isSet = column.isSet
  const meaning = isSet ? undefined : meanings?.answered(textOf(cell))
  const read = meaning === undefined ? readCell(column, cell, values) : undefined
  const found =
    meaning ?? (read !== undefined && 'fault' in read && !isSet ? meanings?.preset(textOf(cell)) : undefined)
  return found === undefined ? (read as Read<unknown>) : { meaning: found }
}
