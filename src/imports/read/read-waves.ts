import { type Fault, reason } from '../../values/faults/fault.ts'
import { csvRecords } from './csv-records.ts'
import type { ImportFormat } from './formats.ts'
import { ndjsonRecords } from './ndjson-records.ts'
import type { RecordSink } from './record.ts'
import type { GivenValues, ReadRow, RowReader } from './row-reader.ts'
import type { Source } from './source.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** Characters of wrong rows that end a wave earlier. */
const LONGEST_WAVE = 1_048_576

/** A row that can be read as values. */
export interface FileRow {
  readonly values: GivenValues
  readonly line: number
  /** As it stood in the file. */
  readonly row: () => string
}

export interface Rejection {
  readonly line: number
  readonly faults: readonly Fault[]
  /** The row as it stood in the file. */
  readonly row: string
}

/** Rows that were read together, and those between them that were wrong. */
export interface Wave {
  /** The line behind which it begins, and the last one that it has. */
  readonly after: number
  readonly upto: number
  /** How many bytes were read. */
  readonly position: number
  readonly rows: readonly FileRow[]
  readonly rejected: readonly Rejection[]
}

/** How a file is written. */
export interface FileFormat {
  readonly format: ImportFormat
  /** What separates the cells of a CSV row. */
  readonly delimiter: string
  /** Which field each column is, if that is not what the header says; null for one that is ignored. */
  readonly columns?: readonly (string | null)[]
  /** The line up to which the rows were read before. */
  readonly after?: number
}

/** The rows of a source, checked, so many at a time, the wrong ones among them. */
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
    // A wrong row is told as soon as it is read: who writes the source may wait for that.
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
