import { type Fault, fault, type Reason, reason } from '../../values/faults/fault.ts'
import type { Read, Within } from '../../values/kinds/kind.ts'
import { memberPointer } from '../../values/members.ts'
import { type Cell, isBlank, textOf } from '../cells/cell.ts'
import { type AmountInCell, cellReader, isMoney, type ReadCell } from '../cells/cell-reader.ts'
import type { FileColumn } from '../cells/reading.ts'
import { plainWord } from '../cells/spoken.ts'
import { type DeclaredWords, type PlacedValue, placedWords } from '../cells/value-words.ts'
import { partOf } from './headings.ts'
import type { RowColumn, RowLayout } from './layout.ts'
import type { ThingName } from './thing-name.ts'
import { isTotals } from './totals-row.ts'

/** The values of a row, only of the members that it has. */
export type GivenValues = Readonly<Record<string, unknown>>

/** The values of a record, with the faults of cells that were left empty; or why it has none. */
export type ReadValues =
  | { readonly values: GivenValues; readonly emptied?: readonly Fault[] }
  | { readonly faults: readonly Fault[] }

/** A field, and the columns whose cells are its text. */
export interface CellColumn {
  readonly name: string
  /** The places of its columns. */
  readonly at: readonly number[]
  readonly read: ReadCell
  readonly isNeeded: boolean
  readonly emptiable: boolean
  /** Set if `read` returns an amount with its currencies. */
  readonly isMoney: boolean
  /** The currency of a bare amount. */
  readonly currency: string | undefined
  /** The meaning of an empty cell; undefined if it has none. */
  readonly empty: { readonly value: unknown } | undefined
  /** Reads a choice that depends on another field, whose value a cell may name too; undefined if `read` decides. */
  readonly among: Among | undefined
}

interface Among {
  readonly field: string
  read(cell: Cell, of: unknown): Read<PlacedValue> | undefined
}

/** The fields that the columns of a file have. */
export function cellColumns(given: readonly FileColumn[], layout: RowLayout): readonly CellColumn[] {
  const found = new Map<string, CellColumn>()
  for (const [at, column] of given.entries()) {
    const { field } = column
    const row = field === null ? undefined : layout.columns.get(field)
    if (field === null || row === undefined || row.ignored) continue
    const known = found.get(field)
    const made = known ?? cellColumn(field, column, row, layout)
    found.set(field, { ...made, at: inOrder([...made.at, at], given, layout.parts?.[field]) })
  }
  // A field that another depends on is read before it.
  return [...found.values()].toSorted((a, b) => Number(a.among !== undefined) - Number(b.among !== undefined))
}

/** A first name comes before a last one, whatever the order of their columns. */
function inOrder(
  places: readonly number[],
  given: readonly FileColumn[],
  parts: readonly (readonly string[])[] = [],
): readonly number[] {
  const place = (at: number): number => partOf(given[at]?.heading ?? '', parts) ?? parts.length
  return places.length === 1 ? places : places.toSorted((a, b) => place(a) - place(b) || a - b)
}

function cellColumn(name: string, column: FileColumn, row: RowColumn, layout: RowLayout): CellColumn {
  const { kind, optional = false, emptiable = false } = row
  const isNeeded = layout.oneOf.includes(name)
  const read = kind.nullable ? { value: null } : kind.readText('')
  return {
    ...{ name, at: [], isNeeded, emptiable, read: valueReader(column, row) },
    isMoney: isMoney(kind),
    currency: column.reading?.currency,
    empty: optional || isNeeded || 'fault' in read ? undefined : read,
    among: kind.within && kind.within.groups.size > 1 ? amongReader(kind.within, row.words) : undefined,
  }
}

/** `Renewals: Due`, or `Due` next to another column with the pipeline. */
function amongReader(within: Within, declared: DeclaredWords | undefined): Among {
  const { field } = within
  const { together, beside } = placedWords(within, declared)
  return {
    field,
    read(cell, of) {
      const text = textOf(cell)
      // Either title may have a colon.
      for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
        const found = together.get(`${plainWord(text.slice(0, at))}:${plainWord(text.slice(at + 1))}`)
        if (found === undefined) continue
        return of === undefined || of === found.of ? { value: found } : fault('contradicts', { other: field })
      }
      const value = beside.get(of)?.get(plainWord(text))
      return value === undefined ? undefined : { value: { of, value } }
    },
  }
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

/** A column may name things of another resource by words; only exports of ours have their serial numbers. */
function valueReader({ heading, field, reading }: FileColumn, { kind, words }: RowColumn): ReadCell {
  const read = cellReader(kind, reading, words)
  if (kind.refersTo === undefined) return read
  return (cell) => {
    const text = textOf(cell).trim()
    const [, number] = /^#(\d+)$/.exec(text) ?? []
    const key = kind.readText(number ?? text)
    const isKey = number !== undefined || (heading === field && /^\d+$/.test(text))
    if (isKey || (kind.name === 'uuid' && 'value' in key)) return key
    return { value: { thingName: text } satisfies ThingName }
  }
}

/** The amounts of a row with what their cells say about the currency. */
interface RowMoney extends AmountInCell {
  readonly name: string
  readonly usual: string | undefined
}

export function readCells(
  columns: readonly CellColumn[],
  layout: RowLayout,
  empties: boolean,
  cells: readonly Cell[],
): ReadValues {
  if (isTotals(cells)) return { faults: [{ code: 'totals-row', at: {} }] }
  const values: Record<string, unknown> = {}
  let isWhole = layout.oneOf.length === 0
  // Nearly every row has none.
  let faults: Fault[] | undefined
  let emptied: Fault[] | undefined
  let money: RowMoney[] | undefined
  for (const column of columns) {
    const { name, isNeeded, empty } = column
    const cell = cellOf(column, cells)
    if (isBlank(cell) && !isMeant(column, cell, values)) {
      if (empty !== undefined) values[name] = empty.value
      continue
    }
    isWhole ||= isNeeded
    const read = readCell(column, cell, values)
    if ('value' in read) {
      values[name] = column.isMoney ? (read.value as AmountInCell).amount : read.value
      if (column.isMoney) money = [...(money ?? []), { ...(read.value as AmountInCell), name, usual: column.currency }]
    } else if (empties && column.emptiable) {
      if (empty !== undefined) values[name] = empty.value
      emptied = [...(emptied ?? []), placed(read.fault, name)]
    } else faults = [...(faults ?? []), placed(read.fault, name)]
  }
  if (!isWhole) return { faults: [missing(layout.oneOf), ...(faults ?? [])] }
  const wrong = money && layout.currency && settleCurrency(values, money, layout.currency.field)
  if (faults !== undefined || wrong !== undefined) return { faults: [...(faults ?? []), ...(wrong ?? [])] }
  return emptied === undefined ? { values } : { values, emptied }
}

/** The texts of several columns are one. */
function cellOf({ at }: CellColumn, cells: readonly Cell[]): Cell {
  if (at.length === 1) return cells[at[0] as number] ?? ''
  return at.flatMap((place) => textOf(cells[place] ?? '').trim() || []).join(' ')
}

/** The currency's column decides, then a cell that names a currency, then what was said about the column. */
function settleCurrency(
  values: Record<string, unknown>,
  money: readonly RowMoney[],
  field: string,
): readonly Fault[] | undefined {
  for (const { name, currencies, usual } of money.toSorted((a, b) => doubtOf(a) - doubtOf(b))) {
    const said = values[field]
    if (currencies.length === 0) {
      if (said === undefined && usual !== undefined) values[field] = usual
    } else if (said !== undefined) {
      if (!currencies.includes(String(said)))
        return [placed(reason('other-currency', { currency: currencies[0] ?? '', other: String(said) }), name)]
    } else if (currencies.length === 1) values[field] = currencies[0]
    else if (usual !== undefined && currencies.includes(usual)) values[field] = usual
    else return [placed(reason('two-readings', { readings: currencies }), name)]
  }
  return undefined
}

/** One currency is certain, several are not, and none says nothing. */
const doubtOf = ({ currencies }: RowMoney): number => currencies.length || Number.POSITIVE_INFINITY

export const placed = (why: Reason, name: string): Fault => ({ ...why, at: { pointer: memberPointer(name) } })

/** The row has none of the required members. */
export function missing(oneOf: readonly string[]): Fault {
  const [only = '', ...others] = oneOf
  if (others.length === 0) return placed(reason('required'), only)
  return { code: 'one-required', with: { names: oneOf }, at: {} }
}
