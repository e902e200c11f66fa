import type { FileColumn } from '../cells/reading.ts'
import type { ImportFormat } from './formats.ts'
import type { Encoding } from './recognise.ts'

/** How a file is read. */
export interface Matching {
  readonly format: ImportFormat
  /** Of a text. */
  readonly encoding: Encoding
  /** The separator of the cells of a CSV row. */
  readonly delimiter: string
  /** The line of the headings: rows follow it. */
  readonly headerAt: number
  readonly columns: readonly FileColumn[]
  /** Whether things that rows name are created if they do not exist. */
  readonly create?: 'missing' | undefined
  /** Whether unreadable cells that a thing does not need are left empty. */
  readonly badCells?: 'empty' | undefined
}
