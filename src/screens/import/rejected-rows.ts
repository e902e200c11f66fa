import type { Answer } from '../../http/contract/answer.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import { findImport } from '../../http/endpoints/imports/addressed-import.ts'
import { csvRow } from '../../imports/file/csv-row.ts'
import { headingsOf } from '../../imports/read/column-faults.ts'
import type { Matching } from '../../imports/read/matching.ts'
import { cellsOf, rejectedIn } from '../../imports/uploads/rejected.ts'
import { matchingOf } from '../../imports/uploads/stored-matching.ts'
import { say } from '../../languages/say.ts'
import type { Upload } from '../../model/imports/upload.ts'
import type { Resource } from '../../model/schema.ts'
import { faultsText } from '../problem/why.ts'

/** The heading of the column that says why a row was rejected. */
const reasonHeading = say('Rejected because')

export async function readRejected(call: Call): Promise<Answer> {
  const found = await findImport(call)
  if ('problem' in found) return found
  const { upload, resource } = found
  const matching = matchingOf(upload)
  if (matching === undefined) return { problem: { code: 'not-found', detail: 'No rows were rejected.' } }
  const name = `${upload.name.replace(/\.\w+$/, '') || upload.resource}-rejected.csv`
  return {
    lines: rejectedRows({ upload, resource }, matching, call),
    contentType: 'text/csv; charset=utf-8',
    headers: {
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control': 'no-store',
    },
  }
}

/** The rejected rows unchanged, each with the reason in front: the file can be corrected and uploaded again. */
async function* rejectedRows(
  { upload: { id }, resource: { kinds } }: { readonly upload: Upload; readonly resource: Resource },
  { columns, delimiter }: Matching,
  { service, reader }: Call,
): AsyncGenerator<Buffer> {
  const headings = columns.map(({ heading }) => heading)
  const inFile = headingsOf(columns)
  // Spreadsheets recognise UTF-8 by its byte order mark.
  yield Buffer.from(`\ufeff${csvRow([reasonHeading(reader), ...headings], delimiter)}`)
  for await (const rejections of rejectedIn(service.store.imports, id)) {
    const rows = rejections.map(({ faults, row }) =>
      csvRow([faultsText(faults, reader, kinds, inFile), ...cellsOf(row, delimiter)], delimiter),
    )
    yield Buffer.from(rows.join(''))
  }
}
