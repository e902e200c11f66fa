import type { Defaults, ValueAnswers } from '../../model/nouns/imports/value-answers.ts'
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
  /** The sheet of a workbook; the first one if it is undefined. */
  readonly sheet?: string | undefined
  /** Whether a person chose the sheet. */
  readonly isSheetChosen?: boolean | undefined
  /** The meanings of unknown values of columns. */
  readonly values?: ValueAnswers | undefined
  /** The values of a row where the file has none. */
  readonly defaults?: Defaults | undefined
  /** Whether the last answers count for everybody. */
  readonly keep?: 'all' | undefined
  /** The time zone of times without one. */
  readonly zone?: string | undefined
}
