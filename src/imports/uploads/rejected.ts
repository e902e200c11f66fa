import type { ImportStore } from '../../store/port/import-store.ts'
import { KEPT } from '../../values/faults/fault-codes.ts'
import { textOf } from '../cells/cell.ts'
import { BROKEN } from '../file/record.ts'
import { csvRecords } from '../read/csv-records.ts'
import type { Rejection } from '../read/read-waves.ts'
import { readPiece } from './upload.ts'

/** The rejected rows, in order, a few at a time. */
export async function* rejectedIn(imports: ImportStore, id: string): AsyncGenerator<readonly Rejection[]> {
  for (const number of await imports.rejectedPieces(id)) {
    const piece = await readPiece(imports, id, 'rejected', number)
    if (piece !== undefined) yield (JSON.parse(piece.toString('utf8')) as readonly KeptRejection[]).map(asRejection)
  }
}

/** An earlier release stored a sentence. */
type KeptRejection = Rejection | { readonly line: number; readonly reason: string; readonly row: string }

const asRejection = (kept: KeptRejection): Rejection =>
  'faults' in kept
    ? kept
    : { line: kept.line, faults: [{ code: KEPT, with: { text: kept.reason }, at: {} }], row: kept.row }

/** The cells of a row as in the file; an unreadable row is one cell. */
export function cellsOf(row: string, delimiter: string): readonly string[] {
  const text = row.replaceAll(BROKEN, '')
  const found: (readonly string[])[] = []
  csvRecords({ take: (cells) => void found.push(cells.map(textOf)), reject: () => {} }, delimiter).read(text, true)
  return found.length === 1 ? (found[0] ?? [text]) : [text]
}
