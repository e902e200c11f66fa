import type { Matching } from '../../../imports/uploads/matching.ts'
import { cellsOf, csvRow, rejectedIn } from '../../../imports/uploads/rejected.ts'
import { speakingTo } from '../../../languages/current-reader.ts'
import type { Resource } from '../../../model/resource.ts'
import type { StoredImport } from '../../../store/port/import-store.ts'
import { fieldsOf } from '../../../views/import/field-names.ts'
import { reasonHeading, reasonText } from '../../../views/import/reasons.ts'
import type { Call } from '../../endpoint.ts'

/** The rejected rows as they were, each with the reason before it: it can be corrected and uploaded again. */
export async function* rejectedRows(
  { id }: StoredImport,
  resource: Resource,
  { header, delimiter }: Matching,
  { service, reader }: Call,
): AsyncGenerator<Buffer> {
  const fields = fieldsOf(resource)
  // Spreadsheets know UTF-8 by its mark.
  yield Buffer.from(`\ufeff${csvRow([speakingTo(reader, reasonHeading), ...header], delimiter)}`)
  for await (const rejections of rejectedIn(service.store.imports, id)) {
    const rows = speakingTo(reader, () =>
      rejections.map(({ reason, row }) => csvRow([reasonText(reason, fields), ...cellsOf(row, delimiter)], delimiter)),
    )
    yield Buffer.from(rows.join(''))
  }
}
