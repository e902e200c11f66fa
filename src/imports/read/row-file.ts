import { takeTurns } from '../../store/port/take-turns.ts'
import type { FileBytes } from '../file/file-bytes.ts'
import type { RecordSink } from '../file/record.ts'
import { UnreadableFile } from '../file/unreadable-file.ts'
import { sheetRecords } from '../sheet/sheet-records.ts'
import { csvRecords } from './csv-records.ts'
import type { Matching } from './matching.ts'
import { ndjsonRecords } from './ndjson-records.ts'
import { type Source, sourceOf, textBytes } from './source.ts'

/** The rows of a file, whatever its format. */
export interface RowFile {
  /** The name of the file in messages. */
  readonly name: string
  /** In bytes; undefined if its end is unknown. */
  readonly size: number | undefined
  /** Gives the rows to the sink, some before each step. Throws `UnreadableFile`. */
  read(sink: RecordSink): AsyncGenerator<void>
  /** The number of bytes read so far. */
  readonly position: () => number
}

export type FileShape = Pick<Matching, 'format' | 'encoding' | 'delimiter' | 'sheet'>

export function rowFile(file: FileBytes, shape: FileShape): RowFile {
  if (shape.format !== 'xlsx') {
    return inTurns(textRows(sourceOf(file.name, file.size, textBytes(file, shape.encoding)), shape))
  }
  let position = 0
  const counted: FileBytes = {
    ...file,
    async read(from, length) {
      position = from
      return file.read(from, length)
    },
  }
  return inTurns({ ...file, read: (sink) => sheetRecords(counted, sink, shape.sheet, file), position: () => position })
}

/** Lets requests have their turn: a file is read on the thread that serves them. */
const inTurns = (rows: RowFile): RowFile => ({
  ...rows,
  async *read(sink) {
    const turn = takeTurns()
    for await (const _step of rows.read(sink)) {
      yield
      await turn()
    }
  },
})

/** The rows of a text, which may come from a source without a known end. */
export function textRows(source: Source, { format, delimiter }: Pick<FileShape, 'format' | 'delimiter'>): RowFile {
  return {
    ...source,
    async *read(sink) {
      const records = format === 'ndjson' ? ndjsonRecords(sink) : csvRecords(sink, delimiter)
      let rest = ''
      let first = true
      for await (const piece of source.texts()) {
        if (first && format === 'ndjson') refuseArray(source.name, piece)
        first = false
        const text = rest === '' ? piece : rest + piece
        const taken = records.read(text, false)
        rest = taken === text.length ? '' : text.slice(taken)
        yield
      }
      if (rest !== '') records.read(rest, true)
    },
  }
}

function refuseArray(name: string, text: string): void {
  if (text.trimStart().startsWith('[')) throw new UnreadableFile(name, 'array')
}
