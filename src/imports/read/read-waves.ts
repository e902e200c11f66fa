import { fileBounds } from '../../values/bounds.ts'
import { type Fault, reason } from '../../values/faults/fault.ts'
import { type Cell, isBlank, textOf } from '../cells/cell.ts'
import type { GivenValues } from '../columns/layout.ts'
import { placed } from '../columns/placed.ts'
import type { ReadValues } from '../columns/read-cells.ts'
import type { RowReader } from '../columns/row-reader.ts'
import type { RecordSink } from '../file/record.ts'
import { UnreadableFile } from '../file/unreadable-file.ts'
import type { Matching } from './matching.ts'
import type { RowFile } from './row-file.ts'

/** A row that can be read as values. */
export interface FileRow {
  readonly values: GivenValues
  /** Further values of its thing if it is new. */
  readonly besides?: GivenValues | undefined
  /** Identifies a row that has neither an id nor a unique value, so that it is performed once. */
  readonly key?: string
  readonly line: number
  /** As in the file. */
  readonly row: () => string
}

/** Faults of a row. */
export interface FaultyRow {
  readonly line: number
  readonly faults: readonly Fault[]
}

export interface Rejection extends FaultyRow {
  /** The row as in the file. */
  readonly row: string
}

/** Rows that were read together, and the wrong ones among them. */
export interface Wave {
  /** The line after which it begins, and its last line. */
  readonly after: number
  readonly upto: number
  /** The number of bytes read so far. */
  readonly position: number
  readonly rows: readonly FileRow[]
  readonly rejected: readonly Rejection[]
  /** The cells of rows that were left empty because they cannot be read. */
  readonly emptied?: readonly FaultyRow[]
}

export interface WaveReading extends Pick<Matching, 'format' | 'headerAt' | 'columns'> {
  /** The line up to which rows were already read. */
  readonly after?: number | undefined
  readonly atOnce: number
  readonly signal?: AbortSignal | undefined
}

/** The rows of a file, checked, a number at a time, with the wrong ones among them. Blank rows are skipped. */
export async function* readWaves(file: RowFile, matching: WaveReading, reader: RowReader): AsyncGenerator<Wave> {
  const { format, headerAt, columns, after = 0, atOnce, signal } = matching
  const waves = waveGatherer(after, atOnce, file.position)
  const isJson = format === 'ndjson'
  const read = isJson ? reader.fromJson : cellsReader(file, matching, reader)
  const earlier = repeatedValues(reader.uniques, columns)
  let isEmpty = true

  const sink: RecordSink = {
    columns: columns.length,
    take(cells, line, row) {
      isEmpty = false
      if ((!isJson && line <= headerAt) || cells.every(isBlank)) return
      if (line <= after) {
        earlier.note(cells, undefined, line)
        return
      }
      const found = read(cells)
      const faults = [...('faults' in found ? found.faults : []), ...earlier.note(cells, found, line)]
      if (faults.length > 0) waves.reject({ line, faults, row: row() })
      else if ('values' in found) waves.add({ values: found.values, besides: found.besides, line, row }, found.emptied)
    },
    reject(line, why, row) {
      isEmpty = false
      if (line > after && line > headerAt) waves.reject({ line, faults: [{ ...why, at: {} }], row })
    },
  }

  for await (const _step of file.read(sink)) {
    if (signal?.aborted) return
    // A wrong row is reported as soon as it is read: the writer of the source may be waiting for it.
    if (waves.hasRejected()) waves.end()
    yield* waves.full()
  }
  if (signal?.aborted) return
  if (isEmpty) throw new UnreadableFile(file.name, 'empty')
  waves.end()
  yield* waves.full()
}

/** A row of text has as many cells as the header, or empty ones behind; a spreadsheet leaves out empty ones. */
function cellsReader(file: RowFile, { format, columns }: WaveReading, reader: RowReader) {
  const known = reader.fromCells(columns)
  const { length } = columns
  return (cells: readonly Cell[]): ReadValues => {
    // Nothing is needed where there are no rows.
    if ('fault' in known) throw new UnreadableFile(file.name, { header: known.fault })
    const isEven =
      cells.length === length || (cells.length < length ? format === 'xlsx' : cells.slice(length).every(isBlank))
    if (isEven) return known.read(cells)
    return { faults: [{ code: 'uneven-row', with: { count: cells.length, columns: length }, at: {} }] }
  }
}

/** Finds values that name a thing and that an earlier row has: the second row would overwrite what the first one says. */
function repeatedValues(uniques: readonly string[], columns: WaveReading['columns']) {
  const seen = uniques.map((field) => ({
    field,
    at: columns.findIndex((column) => column.field === field),
    lines: new Map<string, number>(),
  }))
  return {
    note(cells: readonly Cell[], read: ReadValues | undefined, line: number): readonly Fault[] {
      return seen.flatMap(({ field, at, lines }) => {
        const given = read !== undefined && 'values' in read ? read.values[field] : undefined
        const text = String(given ?? (at === -1 ? '' : textOf(cells[at] ?? '').trim()))
        const earlier = lines.get(text)
        // A copy, since a part of a text keeps the whole of it in memory.
        if (text !== '' && text.length <= fileBounds.unique && earlier === undefined)
          lines.set(Buffer.from(text).toString(), line)
        return earlier === undefined ? [] : [placed(reason('repeated-reference', { line: earlier }), field)]
      })
    },
  }
}

function waveGatherer(begin: number, atOnce: number, position: () => number) {
  let full: Wave[] = []
  let after = begin
  let upto = begin
  let rows: FileRow[] = []
  let rejected: Rejection[] = []
  let emptied: FaultyRow[] = []
  let length = 0
  const end = (): void => {
    if (upto === after) return
    full.push({ after, upto, position: position(), rows, rejected, ...(emptied.length > 0 && { emptied }) })
    after = upto
    rows = []
    rejected = []
    emptied = []
    length = 0
  }
  const taken = (line: number): void => {
    upto = line
    if (rows.length + rejected.length === atOnce || length > fileBounds.wave) end()
  }
  return {
    add(row: FileRow, faults: readonly Fault[] | undefined): void {
      rows.push(row)
      if (faults !== undefined) emptied.push({ line: row.line, faults })
      taken(row.line)
    },
    reject(rejection: Rejection): void {
      rejected.push(rejection)
      length += rejection.row.length
      taken(rejection.line)
    },
    hasRejected: () => rejected.length > 0,
    end,
    full(): readonly Wave[] {
      const found = full
      full = []
      return found
    },
  }
}
