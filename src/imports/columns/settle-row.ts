import type { Defaults } from '../../model/nouns/imports/value-answers.ts'
import { type Fault, reason } from '../../values/faults/fault.ts'
import { decimalsOf } from '../../values/kinds/money.ts'
import { type Cell, isBlank } from '../cells/cell.ts'
import type { AmountInCell } from '../cells/cell-reader.ts'
import { type CellColumn, cellOf } from './cell-columns.ts'
import type { GivenValues, RowLayout } from './layout.ts'
import type { Meaning } from './meanings.ts'
import { placed } from './placed.ts'

// The meaning of the cells of a row together.

/** The amounts of a row with what their cells say about the currency. */
export interface RowMoney extends AmountInCell {
  readonly column: CellColumn
}

/** A cell with what its value was said to mean. */
export interface MeantCell {
  readonly column: CellColumn
  readonly meaning: Meaning
}

/** The meaning of a value for another field must not contradict the cell of that field. */
export function settleMeanings(
  values: Record<string, unknown>,
  meant: readonly MeantCell[],
  columns: readonly CellColumn[],
  cells: readonly Cell[],
): readonly Fault[] {
  const faults: Fault[] = []
  for (const { column, meaning } of meant) {
    for (const [field, value] of meaning.sets) {
      const other = field === column.name ? undefined : columns.find(({ name }) => name === field)
      const isGiven = other !== undefined && !isBlank(cellOf(other, cells))
      if (isGiven && values[field] !== undefined && values[field] !== value)
        faults.push(placed(reason('contradicts', { other: field }), column.name))
      else values[field] = value
    }
  }
  return faults
}

/** Fills empty cells, and returns what a new thing has besides. */
export function withDefaults(
  values: Record<string, unknown>,
  defaults: Defaults,
  columns: readonly CellColumn[],
  { columns: known, inFiles }: RowLayout,
): GivenValues | undefined {
  let besides: Record<string, unknown> | undefined
  for (const [field, value] of Object.entries(defaults)) {
    if ((values[field] ?? null) !== null) continue
    const read = known.get(field)?.kind.read(value)
    if (read === undefined || 'fault' in read) continue
    const [other, needed] = inFiles?.goesWith?.[field] ?? []
    if (other !== undefined && (values[other] ?? besides?.[other] ?? defaults[other]) !== needed) continue
    const hasColumn = columns.some(({ name }) => name === field)
    if (hasColumn || values[field] === null) values[field] = read.value
    else besides = { ...besides, [field]: read.value }
  }
  return besides
}

/** The currency's column decides, then a cell that names a currency, then what was said about the column. */
export function settleCurrency(
  values: Record<string, unknown>,
  money: readonly RowMoney[],
  { field, initial }: NonNullable<RowLayout['currency']>,
): readonly Fault[] | undefined {
  for (const { column, currencies } of money.toSorted((a, b) => doubtOf(a) - doubtOf(b))) {
    const { name, currency, bare } = column
    const said = values[field] ?? undefined
    if (currencies.length === 0) {
      if (said !== undefined || bare === undefined) continue
      if (bare === null) return [placed(reason('required'), field)]
      values[field] = bare
    } else if (said !== undefined) {
      if (!currencies.includes(String(said)))
        return [placed(reason('other-currency', { currency: currencies[0] ?? '', other: String(said) }), name)]
    } else if (currencies.length === 1) values[field] = currencies[0]
    else if (currency !== undefined && currencies.includes(currency)) values[field] = currency
    else return [placed(reason('two-readings', { readings: currencies }), name)]
  }
  const hasThousandths = decimalsOf(String(values[field] ?? initial)) > 2
  const [doubtful] = hasThousandths ? [] : money.filter(({ doubt }) => doubt !== undefined)
  return doubtful?.doubt && [placed(reason('two-readings', { readings: doubtful.doubt }), doubtful.column.name)]
}

/** One currency is certain, several are not, and none says nothing. */
const doubtOf = ({ currencies }: RowMoney): number => currencies.length || Number.POSITIVE_INFINITY
