import { type CustomerChunk, chunkBuilder } from '../../model/customer/chunk.ts'
import { Failure } from '../failure.ts'
import { csvRecords } from './csv-records.ts'
import { customerFromCells, customerFromJson, type ReadCustomer } from './customer-records.ts'
import type { ImportFormat } from './formats.ts'
import { ndjsonRecords } from './ndjson-records.ts'
import type { RecordSink } from './record.ts'
import type { Source } from './source.ts'

export interface Rejection {
  readonly line: number
  readonly reason: string
  /** The row as it stood in the file. */
  readonly row: string
}

/** How many rows the store takes at a time: beside a running service this is a transaction of about a quarter second. */
const CHUNK = 10_000

/** The customers of a source, checked, in chunks; a wrong row goes to `onReject`, which may throw to end it all. */
export async function* readCustomers(
  source: Source,
  format: ImportFormat,
  signal: AbortSignal,
  onReject: (rejection: Rejection) => void,
): AsyncGenerator<CustomerChunk> {
  const chunk = chunkBuilder(CHUNK)
  const full: CustomerChunk[] = []
  let readCustomer: ReadCustomer | undefined = format === 'ndjson' ? customerFromJson : undefined

  const sink: RecordSink = {
    take(cells, line, raw) {
      if (readCustomer === undefined) {
        readCustomer = readHeader(source.name, cells)
        return
      }
      const read = readCustomer(cells)
      if ('fault' in read) return onReject({ line, reason: read.fault, row: raw() })
      chunk.add(read.customer)
      if (chunk.rows() === CHUNK) full.push(chunk.take())
    },
    reject(line, reason, row) {
      if (readCustomer === undefined) throw new Failure(`${source.name}: the header ${reason}`)
      onReject({ line, reason, row })
    },
  }

  const records = format === 'ndjson' ? ndjsonRecords(sink) : csvRecords(sink)
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
  if (readCustomer === undefined) throw new Failure(`${source.name} is empty`)
  if (chunk.rows() > 0) yield chunk.take()
}

function readHeader(name: string, cells: readonly string[]): ReadCustomer {
  const header = customerFromCells(cells)
  if ('fault' in header) throw new Failure(`${name}: ${header.fault}`)
  return header.read
}

function refuseArray(name: string, text: string): void {
  if (text.trimStart().startsWith('[')) throw new Failure(`${name} is a JSON array; NDJSON has an object on each line`)
}
