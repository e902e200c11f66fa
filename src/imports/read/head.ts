import type { Resource } from '../../model/declaration/schema.ts'
import { fileBounds } from '../../values/bounds.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import { type Cell, isBlank, textOf } from '../cells/cell.ts'
import { matchHeadings } from '../columns/headings.ts'
import { fieldsIn, layoutOf } from '../columns/layout.ts'
import { UnreadableFile } from '../file/unreadable-file.ts'
import type { FileShape, RowFile } from './row-file.ts'

export interface FileHead {
  readonly headings: readonly string[]
  readonly headerAt: number
  readonly rows: readonly (readonly Cell[])[]
}

/** The first rows that are looked at for headings, and those that a page shows. */
const [LOOKED_AT, SHOWN] = [40, 6]
/** The line up to which they are looked for: a sheet may have a million blank rows behind what was typed. */
const FARTHEST = 2000

/** How the row of headings is found. */
export interface HeadReading extends Pick<FileShape, 'delimiter'> {
  /** Counts the headings among cells that are known. */
  readonly known: (cells: readonly Cell[]) => number
  /** The line of the headings, if it is known. */
  readonly at: number | undefined
}

/** The headings of a file and the rows behind them. Throws `UnreadableFile`. */
export async function headOf(file: RowFile, { delimiter, known, at }: HeadReading): Promise<FileHead> {
  const records: HeadRecord[] = []
  let reached = 0
  const isLooked = (line: number): boolean => records.length < LOOKED_AT && line >= (at ?? 1)
  for await (const _step of file.read({
    take(cells, line) {
      reached = line
      const isSeparator = line === 1 && /^sep=/i.test(cells.map(textOf).join(delimiter))
      if (isLooked(line) && !isSeparator && !cells.every(isBlank)) records.push({ cells: [...cells], line })
    },
    reject(line, why, raw) {
      reached = line
      // Text behind a title may be no CSV. What is too much may be the headings.
      const isTooMuch = why.code === 'too-long' || why.code === 'uneven-row'
      if (isLooked(line) && (isTooMuch || records.length === 0))
        records.push({ cells: raw.split(delimiter), line, why })
    },
  })) {
    if (records.length === LOOKED_AT || reached > FARTHEST + (at ?? 0)) break
  }
  const place = at === undefined ? headingsAt(records, known) : records.findIndex(({ line }) => line === at)
  const header = records[place]
  if (header === undefined) throw new UnreadableFile(file.name, at === undefined ? 'empty' : 'no headings')
  const { why } = header
  if (why?.code === 'uneven-row' || header.cells.length > fileBounds.columns)
    throw new UnreadableFile(file.name, 'columns')
  if (why !== undefined) throw new UnreadableFile(file.name, { header: reason('wrong-header', { why }) })
  const rows = records.slice(place + 1, place + 1 + SHOWN).map(({ cells }) => cells)
  return { headings: header.cells.map(textOf), headerAt: header.line, rows }
}

interface HeadRecord {
  readonly cells: readonly Cell[]
  readonly line: number
  readonly why?: Reason
}

/**
 * The place of the headings: the row with most known ones, or the first that is a row at all. A report may have a title,
 * the name of its author and a day above them.
 */
function headingsAt(records: readonly HeadRecord[], known: HeadReading['known']): number {
  const width = ({ cells, why }: HeadRecord): number =>
    why === undefined ? cells.filter((cell) => !isBlank(cell)).length : Number.POSITIVE_INFINITY
  const isWide = records.some((record) => width(record) > 1)
  const first = records.findIndex((record) => !isWide || width(record) > 1)
  const header = records[first]
  if (header === undefined || header.why !== undefined) return first
  const counts = records.map(({ cells, why }) => (why === undefined ? known(cells) : 0))
  const most = Math.max(...counts)
  return most > 1 && most > (counts[first] ?? 0) ? counts.indexOf(most) : first
}

/** Counts the headings among cells that are known. */
export const knownHeadings =
  (resource: Resource) =>
  (cells: readonly Cell[]): number =>
    matchHeadings(cells.slice(0, fileBounds.columns).map(textOf), resource, fieldsIn(layoutOf(resource))).filter(
      ({ field }) => field !== null,
    ).length
