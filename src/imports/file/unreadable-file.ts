import type { Reason } from '../../values/faults/fault.ts'

/** Why a file cannot be read as rows. */
export const unreadable = {
  empty: 'is empty',
  'long line': 'has a line of more than 1048576 bytes',
  compressed: 'is compressed; unpack it first',
  spreadsheet: 'is an archive or another kind of spreadsheet; save it as CSV or XLSX',
  damaged: 'is damaged; save it again as XLSX or CSV',
  encrypted: 'is protected by a password; save it without one',
  'too large': 'unpacks to more than can be imported at once; save it in parts',
  document: 'is a document of another kind, such as a web page or a PDF; save its table as CSV or XLSX',
  vcard: 'is a vCard; export the contacts as CSV',
  'utf-16': 'is UTF-16; save it as UTF-8',
  'no text': 'is UTF-16 or no text at all; save it as UTF-8',
  json: 'is JSON; save it as CSV',
  array: 'is a JSON array; NDJSON has an object on each line',
  columns: 'has more than 300 columns',
  'no sheet': 'has no sheet with that name',
  'no headings': 'has nothing in the row that was chosen for the headings',
} as const

export type UnreadableBecause = keyof typeof unreadable

/** A file that cannot be read as rows. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
  readonly file: string
  readonly because: UnreadableBecause | { readonly header: Reason }
  constructor(file: string, because: UnreadableBecause | { readonly header: Reason }) {
    super(`${file} ${typeof because === 'string' ? unreadable[because] : because.header.code}`)
    this.file = file
    this.because = because
  }
}
