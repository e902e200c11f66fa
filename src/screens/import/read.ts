import type { Addresses } from '../../http/contract/addresses.ts'
import type { Rejection } from '../../imports/read/read-waves.ts'
import { readAs } from '../../imports/read/row-reader.ts'
import { layoutOf } from '../../imports/rows/layouts.ts'
import type { Matching } from '../../imports/uploads/matching.ts'
import { beginningOf, headOf } from '../../imports/uploads/preview.ts'
import { rejectedIn } from '../../imports/uploads/rejected.ts'
import type { Upload } from '../../model/imports/upload.ts'
import type { Resource } from '../../model/schema.ts'
import type { Store } from '../../store/port/store.ts'
import type { Screen } from '../parts/screen.ts'
import { fieldsOf } from './field-names.ts'
import { importsPage } from './imports-view.ts'
import type { MatchedColumn } from './matching-form.ts'
import type { RefusedUpload } from './refused-upload.ts'
import { importPage } from './view.ts'

/** The page on which a file is uploaded. */
export const showImports =
  (
    uploads: readonly Upload[],
    importable: readonly Resource[],
    refused: RefusedUpload | undefined,
    addresses: Addresses,
  ): Screen =>
  () =>
    importsPage({ uploads, importable, refused, addresses, now: new Date().toISOString() })

/** An upload, in any stage. */
export async function showImport(
  upload: Upload,
  resource: Resource,
  store: Store,
  addresses: Addresses,
): Promise<Screen> {
  const matching = upload.matching === null ? undefined : (JSON.parse(upload.matching) as Matching)
  const columns =
    matching === undefined || upload.stage === 'done' ? [] : await matchedColumns(upload, matching, resource, store)
  const rejections = upload.rejected === 0 ? [] : await firstRejections(upload.id, store)
  const fields = fieldsOf(resource)
  return () => importPage({ upload, resource, matching, columns, fields, rejections, addresses })
}

/** Each column with its field and the first rows, as they would be read. */
async function matchedColumns(
  { id }: Upload,
  { encoding, delimiter, header, columns, dates }: Matching,
  resource: Resource,
  { imports }: Store,
): Promise<readonly MatchedColumn[]> {
  const text = (await beginningOf(imports, id, encoding)) ?? ''
  const head = headOf(text, delimiter)
  const rows = 'fault' in head ? [] : head.rows
  const layout = layoutOf(resource)
  return header.map((heading, at) => {
    const field = columns[at] ?? null
    const column = field === null ? undefined : layout.columns.get(field)
    const cells = rows.map((row) => {
      const cell = row[at] ?? ''
      const read = cell === '' || column === undefined ? undefined : readAs(column, cell, dates)
      return { cell, ...(read !== undefined && 'fault' in read && { fault: read.fault }) }
    })
    return { heading, field, cells }
  })
}

/** The number of rejected rows on a page; the file has all of them. */
const SHOWN = 20

async function firstRejections(id: string, { imports }: Store): Promise<readonly Rejection[]> {
  const found: Rejection[] = []
  for await (const some of rejectedIn(imports, id)) {
    found.push(...some)
    if (found.length >= SHOWN) break
  }
  return found.slice(0, SHOWN)
}
