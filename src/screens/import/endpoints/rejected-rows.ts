import type { Call } from '../../../http/contract/endpoint.ts'
import type { Matching } from '../../../imports/uploads/matching.ts'
import { cellsOf, csvRow, rejectedIn } from '../../../imports/uploads/rejected.ts'
import type { Upload } from '../../../model/imports/upload.ts'
import { faultsText } from '../../problem/why.ts'
import { reasonHeading } from '../reasons.ts'

/** The rejected rows as they were, each with the reason before it: it can be corrected and uploaded again. */
export async function* rejectedRows(
  { id }: Upload,
  { header, delimiter }: Matching,
  { service, reader }: Call,
): AsyncGenerator<Buffer> {
  // Spreadsheets know UTF-8 by its mark.
  yield Buffer.from(`\ufeff${csvRow([reasonHeading(reader), ...header], delimiter)}`)
  for await (const rejections of rejectedIn(service.store.imports, id)) {
    const rows = rejections.map(({ faults, row }) =>
      csvRow([faultsText(faults, reader), ...cellsOf(row, delimiter)], delimiter),
    )
    yield Buffer.from(rows.join(''))
  }
}
