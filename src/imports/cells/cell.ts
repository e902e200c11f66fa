/** A cell as text, or with the type that a spreadsheet gives it. */
export type Cell = string | TypedCell

/** A number as the service writes it, or a day; `text` is what to read as text. A time is that of the reader's clock. */
export interface TypedCell {
  readonly text: string
  readonly type: 'number' | 'percent' | 'date' | 'instant' | 'error' | 'formula'
}

export const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)

export const isBlank = (cell: Cell): boolean => typeof cell === 'string' && cell.trim() === ''
