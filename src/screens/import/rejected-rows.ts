import type { Answer } from '../../http/contract/answer.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import { findImport } from '../../http/endpoints/imports/addressed-import.ts'
import { csvRow } from '../../imports/file/csv-row.ts'
import { headingsOf } from '../../imports/read/column-faults.ts'
import type { Matching } from '../../imports/read/matching.ts'
import { cellsOf, rejectedIn } from '../../imports/uploads/rejected.ts'
import { matchingOf } from '../../imports/uploads/stored-matching.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Upload } from '../../model/nouns/imports/upload.ts'
import { writeWorkbook, xlsx } from '../../representations/xlsx.ts'
import { faultsText } from '../problem/why.ts'

/** The heading of the column that says why a row was rejected. */
const reasonHeading = say('Rejected because')

export async function readRejected(call: Call): Promise<Answer> {
  const found = await findImport(call)
  if ('problem' in found) return found
  const { upload, resource } = found
  const matching = matchingOf(upload)
  if (matching === undefined) return { problem: { code: 'not-found', detail: 'No rows were rejected.' } }
  const isSheet = matching.format === 'xlsx'
  const name = `${upload.name.replace(/\.\w+$/, '') || upload.resource}-rejected.${isSheet ? 'xlsx' : 'csv'}`
  const rows = rejectedRows({ upload, resource }, matching, call)
  return {
    lines: isSheet ? asWorkbook(rows) : asText(rows, matching),
    contentType: isSheet ? xlsx.contentType : 'text/csv; charset=utf-8',
    headers: {
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control': 'no-store',
    },
  }
}

/** The headings, then the rejected rows unchanged, each with the reason in front: the file can be corrected and uploaded again. */
async function* rejectedRows(
  { upload: { id }, resource: { kinds } }: { readonly upload: Upload; readonly resource: Resource },
  { columns, delimiter }: Matching,
  { service, reader }: Call,
): AsyncGenerator<readonly (readonly string[])[]> {
  const inFile = headingsOf(columns)
  yield [[reasonHeading(reader), ...columns.map(({ heading }) => heading)]]
  for await (const rejections of rejectedIn(service.store.imports, id)) {
    yield rejections.map(({ faults, row }) => [faultsText(faults, reader, kinds, inFile), ...cellsOf(row, delimiter)])
  }
}

type Rows = AsyncGenerator<readonly (readonly string[])[]>

/** Spreadsheets recognise UTF-8 by its byte order mark. */
async function* asText(rows: Rows, { delimiter }: Matching): AsyncGenerator<Buffer> {
  yield Buffer.from('\ufeff')
  for await (const some of rows) yield Buffer.from(some.map((cells) => csvRow(cells, delimiter)).join(''))
}

/** A workbook, as the file was: its numbers are numbers again. */
async function* asWorkbook(rows: Rows): AsyncGenerator<Buffer> {
  const { value } = await rows.next()
  const [heads = []] = (value ?? []) as readonly (readonly string[])[]
  const list = {
    name: 'rejected',
    title: '',
    address: '',
    chosen: false,
    items: { item: 'row', key: 'c0', fields: new Map() },
  }
  const writer = writeWorkbook({
    ...{ ...list, columns: heads.map((_, at) => columnAt(at)) },
    shown: { heads, separator: ',' },
  })
  yield Buffer.from(writer.beginning())
  for await (const some of rows) yield Buffer.from(writer.batch(some.map((cells) => JSON.stringify(asItem(cells)))))
  yield Buffer.from(writer.end())
}

const columnAt = (at: number): string => `c${at}`

const asItem = (cells: readonly string[]): object =>
  Object.fromEntries(cells.map((cell, at) => [columnAt(at), isNumber.test(cell) ? Number(cell) : cell]))

/** One that a spreadsheet shows with all its digits. */
const isNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/
