import { fileBounds } from '../../values/bounds.ts'
import { type Reason, reason } from '../../values/faults/fault.ts'
import type { Cell } from '../cells/cell.ts'

/** Marks a line whose bytes are not UTF-8. Decoded text cannot contain it. */
export const BROKEN = '\ud800'
export const NOT_UTF8 = reason('malformed', { wants: 'utf-8' })
export const TOO_LONG = reason('too-long', { max: fileBounds.record })

/** Takes the rows of a file, and the faults of wrong ones. */
export interface RecordSink {
  /** The most columns of a row, if the headings are known. */
  readonly columns?: number
  /** A CSV row's cells or, as the only one, an NDJSON line. They are valid during the call only. */
  take(cells: readonly Cell[], line: number, raw: () => string): void
  reject(line: number, why: Reason, raw: string): void
}

/** Finds the records in a text that comes in pieces. */
export interface RecordReader {
  /** Takes every complete record, and returns how much of the text that was; `ended` says that no more follows. */
  read(text: string, ended: boolean): number
}
