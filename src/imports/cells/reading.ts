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
}

/** A column of a file and its field; null if it is ignored. */
export interface FileColumn {
  /** Unique in its file. */
  readonly heading: string
  readonly field: string | null
  readonly reading: ColumnReading | null
}

/** A question about a column that a person must answer before the file is read; `column` is its heading. */
export interface AskedReading {
  readonly column: string
  readonly about: keyof ColumnReading
  readonly choices: readonly string[]
}
