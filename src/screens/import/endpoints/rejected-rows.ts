import type { Call } from '../../../http/contract/endpoint.ts'
import type { Matching } from '../../../imports/uploads/matching.ts'
import { cellsOf, csvRow, rejectedIn } from '../../../imports/uploads/rejected.ts'
import type { Upload } from '../../../model/imports/upload.ts'
import { faultsText } from '../../problem/why.ts'
import { reasonHeading } from '../reasons.ts'

/** The rejected rows unchanged, each with the reason in front: the file can be corrected and uploaded again. */
export async function* rejectedRows(
  { id }: Upload,
  { header, delimiter }: Matching,
  { service, reader }: Call,
): AsyncGenerator<Buffer> {
  // Spreadsheets recognise UTF-8 by its byte order mark.
  yield Buffer.from(`\ufeff${csvRow([reasonHeading(reader), ...header], delimiter)}`)
  for await (const rejections of rejectedIn(service.store.imports, id)) {
    const rows = rejections.map(({ faults, row }) =>
      csvRow([faultsText(faults, reader), ...cellsOf(row, delimiter)], delimiter),
    )
    yield Buffer.from(rows.join(''))
  }
}
