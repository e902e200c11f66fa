import { withoutFormulaMark } from '../../representations/csv.ts'
import { type Fault, fault, near, type Reason, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { findRepeated, parseCounted } from '../../values/json/parse-json.ts'
import type { Kind, Read } from '../../values/kinds/kind.ts'
import { text } from '../../values/kinds/text.ts'
import { isObject, NO_OBJECT, pointerTo } from '../../values/members.ts'
import { type DateOrder, isoDate } from './date-order.ts'

/** The columns of a file, and what each row must have. */
export interface RowLayout {
  readonly columns: ReadonlyMap<string, RowColumn>
  /** Each row needs at least one of these; if there are none, a row may have anything. */
  readonly oneOf: readonly string[]
}

export interface RowColumn {
  readonly kind: Kind<unknown>
  /** Assigned by the service: an export has it, an import ignores it. */
  readonly ignored?: boolean
  /** Null and an empty cell mean nothing. */
  readonly optional?: boolean
}

/** The values of a row, only of the members that it has. */
export type GivenValues = Readonly<Record<string, unknown>>

/** Turns a record into its values, or returns its faults. */
export type ReadRow = (
  cells: readonly string[],
) => { readonly values: GivenValues } | { readonly faults: readonly Fault[] }

export interface RowReader {
  /**
   * From the header, in whose order the cells of a row are; null is an ignored column. Returns the fault if the header
   * is wrong.
   */
  fromCells(header: readonly (string | null)[]): { readonly read: ReadRow } | { readonly fault: Reason }
  /** From a line of JSON. */
  readonly fromJson: ReadRow
}

/** `dates` is the order in which cells may have dates, in addition to the service's own. */
export function rowReader({ columns, oneOf }: RowLayout, dates?: DateOrder): RowReader {
  const names = [...columns.keys()]
  /** The columns of which at least one is required. */
  const needed = { needed: oneOf, ...(oneOf.length > 1 && { wants: 'any' }) }
  const unknownColumn = (name: string, header: readonly unknown[]): Reason => {
    const separator = header.length === 1 ? [';', '\t', '|', ','].find((each) => name.includes(each)) : undefined
    if (separator !== undefined)
      return reason('other-delimiter', separator === '\t' ? { wants: 'tab' } : { delimiter: separator })
    const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name
    return reason('unknown-column', { name: shown, columns: names, ...(near(nearest(name, names)) ?? needed) })
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
        if (found.some((other) => other.name === name)) return fault('repeated-column', { name })
        found.push(cellColumn(name, { ...column, kind: inOrder(column.kind, dates) }, oneOf.includes(name)))
      }
      if (oneOf.length > 0 && !found.some(({ isNeeded }) => isNeeded))
        return fault('no-column', { columns: names, ...needed })
      return { read: (cells) => readCells(found, oneOf, cells) }
    },
    fromJson([line = '']) {
      const parsed = parse(line)
      if (parsed === undefined) return { faults: [{ code: 'malformed', with: { wants: 'json' }, at: {} }] }
      const { value: raw, written } = parsed
      if (!isObject(raw)) return { faults: [{ ...NO_OBJECT, at: {} }] }
      const sent = Object.keys(raw)
      const repeated = written === sent.length ? undefined : findRepeated(line)
      if (repeated !== undefined) {
        return { faults: [{ code: 'repeated', with: { wants: 'member' }, at: { pointer: repeated } }] }
      }
      const values: Record<string, unknown> = {}
      const says = (name: string): boolean =>
        Object.hasOwn(raw, name) && !(raw[name] === null && columns.get(name)?.optional)
      const faults: Fault[] = oneOf.some(says) ? [] : [missing(oneOf)]
      for (const name of sent) {
        const column = columns.get(name)
        if (column === undefined) faults.push(placed(reason('unknown', near(nearest(name, names))), name))
        if (column === undefined || column.ignored || !says(name)) continue
        const read = column.kind.read(raw[name])
        if ('fault' in read) faults.push(placed(read.fault, name))
        else values[name] = read.value
      }
      return faults.length === 0 ? { values } : { faults }
    },
  }
}

interface CellColumn {
  readonly name: string
  readonly kind: Kind<unknown>
  readonly ignored: boolean
  readonly isNeeded: boolean
  /** Whether the export may have put a `'` in front, for spreadsheets. */
  readonly quoted: boolean
  /** The meaning of an empty cell; undefined if it has none. */
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

function readCells(
  columns: readonly CellColumn[],
  oneOf: readonly string[],
  cells: readonly string[],
): ReturnType<ReadRow> {
  if (cells.length !== columns.length) {
    return { faults: [{ code: 'uneven-row', with: { cells: cells.length, columns: columns.length }, at: {} }] }
  }
  const values: Record<string, unknown> = {}
  let isWhole = oneOf.length === 0
  // Nearly every row has none.
  let faults: Fault[] | undefined
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
    if ('value' in read) values[name] = read.value
    else {
      faults ??= []
      faults.push(placed(read.fault, name))
    }
  }
  if (!isWhole) return { faults: [missing(oneOf), ...(faults ?? [])] }
  return faults === undefined ? { values } : { faults }
}

const placed = (why: Reason, name: string): Fault => ({ ...why, at: { pointer: pointerTo(name) } })

/** The row has none of the required members. */
function missing(oneOf: readonly string[]): Fault {
  const [only = '', ...others] = oneOf
  if (others.length === 0) return placed(reason('required'), only)
  return { code: 'one-required', with: { names: oneOf }, at: {} }
}

const readCell = (kind: Kind<unknown>, quoted: boolean, cell: string): Read<unknown> =>
  kind.readText(quoted ? withoutFormulaMark(cell) : cell)

/** How a non-empty cell of a column is read. */
export const readAs = ({ kind }: RowColumn, cell: string, dates: DateOrder | undefined): Read<unknown> =>
  readCell(inOrder(kind, dates), kind.name === 'text', cell)

const inOrder = (kind: Kind<unknown>, dates: DateOrder | undefined): Kind<unknown> =>
  kind.name !== 'date' || dates === undefined
    ? kind
    : { ...kind, readText: (cell) => kind.readText(isoDate(cell, dates)) }

function parse(line: string): ReturnType<typeof parseCounted> | undefined {
  try {
    return parseCounted(line)
  } catch {
    return undefined
  }
}
