import type { ImportStore } from '../../store/port/import-store.ts'
import type { Reason } from '../../values/faults/fault.ts'
import { type Encoding, endsWithReturns, firstRows } from '../read/recognise.ts'
import { readPiece } from './upload.ts'

/** The number of characters of a file to examine: a header and some rows. */
const BEGINNING = 65_536

/** The beginning of an uploaded file as text; undefined if it was removed. */
export async function beginningOf(imports: ImportStore, id: string, encoding: Encoding): Promise<string | undefined> {
  const piece = await readPiece(imports, id, 'file', 0)
  // A character that is cut at the end is left out.
  const text = piece && new TextDecoder(encoding).decode(piece, { stream: true }).slice(0, BEGINNING)
  return text && endsWithReturns(text) ? text.replaceAll(/\r(?=[^\n])/g, '\n') : text
}

const ROWS = 6

/** The most columns of a file; each is shown with its choices. */
export const MOST_COLUMNS = 200

/** The header of a file and the rows that follow it, or why there is no header. */
export function headOf(
  text: string,
  delimiter: string,
): { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] } | { readonly fault: Reason } {
  const { rows: first, fault } = firstRows(text, delimiter, ROWS + 1)
  if (fault !== undefined) return { fault }
  const [header = [], ...rows] = first
  return { header: header.map((cell) => cell.trim()), rows }
}
