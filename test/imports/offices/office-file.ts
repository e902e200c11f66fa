/** The one screen of answers of a person, as PATCH of /imports has it. */
export interface Answers {
  readonly columns?: {
    readonly [heading: string]: {
      readonly field?: string | null
      readonly decimal?: ',' | '.'
      readonly dates?: 'dmy' | 'mdy'
      readonly currency?: string
      readonly unit?: number
    }
  }
  readonly values?: { readonly [heading: string]: { readonly [value: string]: object | null } }
  readonly defaults?: { readonly [field: string]: string | number }
  readonly sheet?: string
  readonly headings?: number
  readonly create?: 'missing'
  readonly badCells?: 'empty'
}

/** A file as an office has it, and what a person reads in it. */
export interface OfficeFile {
  readonly title: string
  readonly name: string
  readonly of: 'deals' | 'customers' | 'tasks'
  readonly content: Buffer
  readonly answers?: Answers
  /** Every row that comes in, with the members that the file says; `customer` is a name. */
  readonly rows: readonly { readonly [member: string]: unknown }[]
  /** The lines that are refused, each with the codes of its reasons. */
  readonly refused?: readonly (readonly [line: number, ...codes: readonly string[]])[]
}

/** Lines of a text, as Windows ends them. */
export const text = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n`

export const utf8 = (...lines: readonly string[]): Buffer => Buffer.from(text(...lines))

/** Windows-1252, as spreadsheets save CSV in the West. */
export const western = (...lines: readonly string[]): Buffer =>
  Buffer.from(
    text(...lines)
      .replaceAll('€', '\x80')
      .replaceAll('–', '\x96')
      .replaceAll('’', '\x92'),
    'latin1',
  )

export const utf16 = (...lines: readonly string[]): Buffer => Buffer.from(`\ufeff${text(...lines)}`, 'utf16le')

/** The number of a day in a workbook. */
export const serial = (day: string): number => (Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000
