import { withoutFormulaMark } from '../../representations/csv.ts'
import { findRepeated, parseCounted } from '../../values/json/parse-json.ts'
import type { Kind, Read } from '../../values/kinds/kind.ts'
import { text } from '../../values/kinds/text.ts'
import { isObject } from '../../values/members.ts'
import { didYouMean } from '../../values/nearest.ts'
import { type DateOrder, isoDate } from './date-order.ts'

/** The columns of a file, and what each row must have. */
export interface RowLayout {
  readonly columns: ReadonlyMap<string, RowColumn>
  /** Each row has one of these; where there are none, a row may have anything. */
  readonly oneOf: readonly string[]
}

export interface RowColumn {
  readonly kind: Kind<unknown>
  /** The service's own: an export has it, an import passes over it. */
  readonly ignored?: boolean
  /** Null and an empty cell say nothing. */
  readonly optional?: boolean
}

/** The values of a row, without what it says nothing about. */
export type GivenValues = Readonly<Record<string, unknown>>

/** Turns a record into the values it has, or says what is wrong with it. */
export type ReadRow = (cells: readonly string[]) => { readonly values: GivenValues } | { readonly fault: string }

export interface RowReader {
  /**
   * From the header, in whose order the cells of a row are; null is a column to ignore. Answers with what is wrong with
   * the header otherwise.
   */
  fromCells(header: readonly (string | null)[]): { readonly read: ReadRow } | { readonly fault: string }
  /** From a line of JSON. */
  readonly fromJson: ReadRow
}

/** `dates` is the order in which cells may have dates besides the service's own. */
export function rowReader({ columns, oneOf }: RowLayout, dates?: DateOrder): RowReader {
  const names = [...columns.keys()]
  const needed = oneOf.join(' or ')
  const expected = `; the columns are ${names.join(', ')}, of which only ${needed} must be there`

  const unknownColumn = (name: string, header: readonly unknown[]): string => {
    const separator = header.length === 1 ? [';', '\t', '|', ','].find((each) => name.includes(each)) : undefined
    if (separator !== undefined) {
      const written = separator === '\t' ? 'tab' : `'${separator}'`
      return `the columns are separated by ${JSON.stringify(separator)}: --delimiter ${written} reads them`
    }
    const shown = JSON.stringify(name.length > 64 ? `${name.slice(0, 64)}…` : name)
    return `there is no column ${shown}${didYouMean(name, names) || expected}`
  }

  return {
    fromCells(header) {
      const found: CellColumn[] = []
      for (const cell of header) {
        if (cell === null) {
          found.push(ignoredColumn)
          continue
        }
        const name = cell.trim()
        const column = columns.get(name)
        if (column === undefined) return { fault: unknownColumn(name, header) }
        if (found.some((other) => other.name === name)) return { fault: `the column ${name} is there twice` }
        found.push(cellColumn(name, { ...column, kind: inOrder(column.kind, dates) }, oneOf.includes(name)))
      }
      if (oneOf.length > 0 && !found.some(({ isNeeded }) => isNeeded))
        return { fault: `there is no column ${needed}${expected}` }
      return { read: (cells) => readCells(found, needed, cells) }
    },
    fromJson([line = '']) {
      const parsed = parse(line)
      if (parsed === undefined) return { fault: 'is not JSON' }
      const { value: raw, written } = parsed
      if (!isObject(raw)) return { fault: 'is not a JSON object' }
      const sent = Object.keys(raw)
      const repeated = written === sent.length ? undefined : findRepeated(line)
      if (repeated !== undefined) return { fault: `${repeated.slice(1)} is given twice` }
      const values: Record<string, unknown> = {}
      const says = (name: string): boolean =>
        Object.hasOwn(raw, name) && !(raw[name] === null && columns.get(name)?.optional)
      let faults = oneOf.some(says) ? '' : `${needed} is required`
      for (const name of sent) {
        const column = columns.get(name)
        if (column === undefined) faults += `${separated(faults)}${name} is not known here${didYouMean(name, names)}`
        if (column === undefined || column.ignored || !says(name)) continue
        const read = column.kind.read(raw[name])
        if ('fault' in read) faults += `${separated(faults)}${name} ${read.fault}`
        else values[name] = read.value
      }
      return faults === '' ? { values } : { fault: faults }
    },
  }
}

interface CellColumn {
  readonly name: string
  readonly kind: Kind<unknown>
  readonly ignored: boolean
  readonly isNeeded: boolean
  /** Whether the export may have put a `'` before it, for spreadsheets. */
  readonly quoted: boolean
  /** What an empty cell means; nothing where it says nothing. */
  readonly empty: { readonly value: unknown } | undefined
}

const ignoredColumn: CellColumn = cellColumn('', { kind: text({ min: 0, max: 0 }), ignored: true }, false)

function cellColumn(
  name: string,
  { kind, ignored = false, optional = false }: RowColumn,
  isNeeded: boolean,
): CellColumn {
  const read = kind.nullable ? { value: null } : kind.readText('')
  const empty = optional || isNeeded || 'fault' in read ? undefined : read
  return { name, kind, ignored, isNeeded, quoted: kind.name === 'text', empty }
}

function readCells(columns: readonly CellColumn[], needed: string, cells: readonly string[]): ReturnType<ReadRow> {
  if (cells.length !== columns.length) {
    return { fault: `has ${cells.length} cells where the header has ${columns.length}` }
  }
  const values: Record<string, unknown> = {}
  let isWhole = needed === ''
  let faults = ''
  for (let at = 0; at < columns.length; at++) {
    const { name, kind, ignored, isNeeded, quoted, empty } = columns[at] as CellColumn
    if (ignored) continue
    const cell = cells[at] as string
    if (cell === '') {
      if (empty !== undefined) values[name] = empty.value
      continue
    }
    isWhole ||= isNeeded
    const read = readCell(kind, quoted, cell)
    if ('fault' in read) faults += `${separated(faults)}${name} ${read.fault}`
    else values[name] = read.value
  }
  if (!isWhole) faults = [`${needed} is required`, ...(faults === '' ? [] : [faults])].join('; ')
  return faults === '' ? { values } : { fault: faults }
}

const readCell = (kind: Kind<unknown>, quoted: boolean, cell: string): Read<unknown> =>
  kind.readText(quoted ? withoutFormulaMark(cell) : cell)

/** How a cell that is not empty is read as a column. */
export const readAs = ({ kind }: RowColumn, cell: string, dates: DateOrder | undefined): Read<unknown> =>
  readCell(inOrder(kind, dates), kind.name === 'text', cell)

const inOrder = (kind: Kind<unknown>, dates: DateOrder | undefined): Kind<unknown> =>
  kind.name !== 'date' || dates === undefined
    ? kind
    : { ...kind, readText: (cell) => kind.readText(isoDate(cell, dates)) }

const separated = (faults: string): string => (faults === '' ? '' : '; ')

function parse(line: string): ReturnType<typeof parseCounted> | undefined {
  try {
    return parseCounted(line)
  } catch {
    return undefined
  }
}
