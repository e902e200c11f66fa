import { type Fault, reason } from '../../values/faults/fault.ts'
import { csvRecords } from './csv-records.ts'
import type { ImportFormat } from './formats.ts'
import { ndjsonRecords } from './ndjson-records.ts'
import type { RecordSink } from './record.ts'
import type { GivenValues, ReadRow, RowReader } from './row-reader.ts'
import type { Source } from './source.ts'
import { UnreadableFile } from './unreadable-file.ts'

export interface Rejection {
  readonly line: number
  readonly faults: readonly Fault[]
  /** The row as it stood in the file. */
  readonly row: string
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

/** Gathers rows to batches, which the store takes at a time. */
export interface Gathering<B> {
  /** Answers with the batch that the row makes full. */
  add(values: GivenValues, line: number, row: () => string): B | undefined
  /** The same for a wrong row; it may throw to end it all. */
  reject(rejection: Rejection): B | undefined
  /** What was gathered since the last full batch. */
  rest(): B | undefined
}

/** The rows of a source, checked, in batches. */
export async function* readBatches<B>(
  source: Source,
  { format, delimiter, columns, after = 0 }: FileFormat,
  reader: RowReader,
  gathering: Gathering<B>,
  signal: AbortSignal,
): AsyncGenerator<B> {
  const full: B[] = []
  let readRow: ReadRow | undefined = format === 'ndjson' ? reader.fromJson : undefined

  const keep = (batch: B | undefined): void => {
    if (batch !== undefined) full.push(batch)
  }

  const sink: RecordSink = {
    take(cells, line, raw) {
      if (readRow === undefined) {
        readRow = readHeader(source.name, reader, columns ?? cells)
        return
      }
      if (line <= after) return
      const read = readRow(cells)
      if ('faults' in read) keep(gathering.reject({ line, faults: read.faults, row: raw() }))
      else keep(gathering.add(read.values, line, raw))
    },
    reject(line, why, row) {
      if (readRow === undefined) throw new UnreadableFile(source.name, { header: reason('wrong-header', { why }) })
      if (line > after) keep(gathering.reject({ line, faults: [{ ...why, at: {} }], row }))
    },
  }

  const records = format === 'ndjson' ? ndjsonRecords(sink) : csvRecords(sink, delimiter)
  let rest = ''
  let first = true
  for await (const piece of source.texts()) {
    if (signal.aborted) return
    if (first && format === 'ndjson') refuseArray(source.name, piece)
    first = false
    const text = rest === '' ? piece : rest + piece
    const taken = records.read(text, false)
    rest = taken === text.length ? '' : text.slice(taken)
    yield* full.splice(0)
  }
  if (signal.aborted) return
  if (rest !== '') records.read(rest, true)
  yield* full
  if (readRow === undefined) throw new UnreadableFile(source.name, 'empty')
  const last = gathering.rest()
  if (last !== undefined) yield last
}

function readHeader(name: string, reader: RowReader, cells: readonly (string | null)[]): ReadRow {
  const header = reader.fromCells(cells)
  if ('fault' in header) throw new UnreadableFile(name, { header: header.fault })
  return header.read
}

function refuseArray(name: string, text: string): void {
  if (text.trimStart().startsWith('[')) throw new UnreadableFile(name, 'array')
}
