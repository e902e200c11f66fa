import { type Reason, reason } from '../../values/faults/fault.ts'
import type { Cell } from './cell.ts'

/** The fault of a cell whose value its spreadsheet lost: the error of a formula, or a formula without its result. */
export function brokenCell(cell: Cell): Reason | undefined {
  if (typeof cell !== 'string' && cell.type === 'formula') return reason('cell-without-value')
  const isError = typeof cell === 'string' ? cell.startsWith('#') && errors.has(cell.trim()) : cell.type === 'error'
  return isError ? reason('cell-error', { name: typeof cell === 'string' ? cell.trim() : cell.text }) : undefined
}

/** As spreadsheets write them in CSV, in their languages. */
const errors: ReadonlySet<string> = new Set(
  '#REF! #N/A #VALUE! #DIV/0! #NAME? #NUM! #NULL! #BEZUG! #NV #WERT! #ZAHL! #VALEUR! #NOM? #NOMBRE! #NUL! #¡REF! #¡VALOR! #¡DIV/0! #¿NOMBRE? #¡NUM! #¡NULO!'.split(
    ' ',
  ),
)
