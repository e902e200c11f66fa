import { type Fault, reason } from '../../values/faults/fault.ts'
import { csvRecords } from './csv-records.ts'
import type { ImportFormat } from './formats.ts'
import { ndjsonRecords } from './ndjson-records.ts'
import type { RecordSink } from './record.ts'
import type { GivenValues, ReadRow, RowReader } from './row-reader.ts'
import type { Source } from './source.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** The number of characters in wrong rows that ends a wave early. */
const LONGEST_WAVE = 1_048_576

/** A row that can be read as values. */
export interface FileRow {
  readonly values: GivenValues
  readonly line: number
  /** As in the file. */
  readonly row: () => string
}

export interface Rejection {
  readonly line: number
  readonly faults: readonly Fault[]
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
}

/** The format of a file. */
export interface FileFormat {
  readonly format: ImportFormat
  /** The separator of the cells of a CSV row. */
  readonly delimiter: string
  /** The field of each column, if it differs from the header; null for an ignored column. */
  readonly columns?: readonly (string | null)[]
  /** The line up to which rows were already read. */
  readonly after?: number
}

/** The rows of a source, checked, a number at a time, with the wrong ones among them. */
export async function* readWaves(
  source: Source,
  { format, delimiter, columns, after = 0 }: FileFormat,
  reader: RowReader,
  atOnce: number,
  signal?: AbortSignal,
): AsyncGenerator<Wave> {
  const waves = waveGatherer(after, atOnce, source.position)
  let readRow: ReadRow | undefined = format === 'ndjson' ? reader.fromJson : undefined

  const sink: RecordSink = {
    take(cells, line, row) {
      if (readRow === undefined) {
        readRow = readHeader(source.name, reader, columns ?? cells)
        return
      }
      if (line <= after) return
      const read = readRow(cells)
      if ('faults' in read) waves.reject({ line, faults: read.faults, row: row() })
      else waves.add({ values: read.values, line, row })
    },
    reject(line, why, row) {
      if (readRow === undefined) throw new UnreadableFile(source.name, { header: reason('wrong-header', { why }) })
      if (line > after) waves.reject({ line, faults: [{ ...why, at: {} }], row })
    },
  }

  const records = format === 'ndjson' ? ndjsonRecords(sink) : csvRecords(sink, delimiter)
  let rest = ''
  let first = true
  for await (const piece of source.texts()) {
    if (signal?.aborted) return
    if (first && format === 'ndjson') refuseArray(source.name, piece)
    first = false
    const text = rest === '' ? piece : rest + piece
    const taken = records.read(text, false)
    rest = taken === text.length ? '' : text.slice(taken)
    // A wrong row is reported as soon as it is read: the writer of the source may be waiting for it.
    if (waves.hasRejected()) waves.end()
    yield* waves.full()
  }
  if (signal?.aborted) return
  if (rest !== '') records.read(rest, true)
  if (readRow === undefined) throw new UnreadableFile(source.name, 'empty')
  waves.end()
  yield* waves.full()
}

function waveGatherer(begin: number, atOnce: number, position: () => number) {
  let full: Wave[] = []
  let after = begin
  let upto = begin
  let rows: FileRow[] = []
  let rejected: Rejection[] = []
  let length = 0
  const end = (): void => {
    if (upto === after) return
    full.push({ after, upto, position: position(), rows, rejected })
    after = upto
    rows = []
    rejected = []
    length = 0
  }
  const taken = (line: number): void => {
    upto = line
    if (rows.length + rejected.length === atOnce || length > LONGEST_WAVE) end()
  }
  return {
    add(row: FileRow): void {
      rows.push(row)
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

function readHeader(name: string, reader: RowReader, cells: readonly (string | null)[]): ReadRow {
  const header = reader.fromCells(cells)
  if ('fault' in header) throw new UnreadableFile(name, { header: header.fault })
  return header.read
}

function refuseArray(name: string, text: string): void {
  if (text.trimStart().startsWith('[')) throw new UnreadableFile(name, 'array')
}
