export const decimals = [',', '.'] as const
/** The sign before the decimals of an amount. */
export type DecimalSign = (typeof decimals)[number]

export const dateOrders = ['dmy', 'mdy'] as const
/** The order of day and month in a date of numbers. A date that begins with the year needs none. */
export type DateOrder = (typeof dateOrders)[number]

/** How the cells of a column are read, if its field leaves a choice: the whole column decides, or else a person. */
export interface ColumnReading {
  readonly decimal?: DecimalSign
  readonly dates?: DateOrder
  /** The currency of its amounts, unless a cell names another. */
  readonly currency?: string
  /** The currency of its numbers without a symbol, if `currency` is that of a symbol; null if that is not known. */
  readonly bare?: string | null
  /** The factor of its numbers, as the heading says or a person. */
  readonly unit?: number
}

/** A column of a file and its field; null if it is ignored. */
export interface FileColumn {
  /** Unique in its file. */
  readonly heading: string
  readonly field: string | null
  readonly reading: ColumnReading | null
}

/** The subject of a question about a column. */
export type AskedAbout = 'decimal' | 'dates' | 'currency' | 'unit'

/** A question that a person must answer before the file is read; `column` is a heading. */
export type AskedReading =
  | { readonly column: string; readonly about: AskedAbout; readonly choices: readonly (string | number)[] }
  | { readonly column: null; readonly about: 'sheet'; readonly choices: readonly string[] }
