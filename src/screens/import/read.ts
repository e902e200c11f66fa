import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { findImport, mayImport } from '../../http/endpoints/imports/addressed-import.ts'
import { isBlank, textOf } from '../../imports/cells/cell.ts'
import { cellReader } from '../../imports/cells/cell-reader.ts'
import { fieldsIn, layoutOf } from '../../imports/columns/layout.ts'
import { headOf } from '../../imports/read/examine.ts'
import type { Matching } from '../../imports/read/matching.ts'
import type { Rejection } from '../../imports/read/read-waves.ts'
import { rowFile } from '../../imports/read/row-file.ts'
import { readFound } from '../../imports/uploads/found.ts'
import { rejectedIn } from '../../imports/uploads/rejected.ts'
import { matchingOf } from '../../imports/uploads/stored-matching.ts'
import { uploadedFile } from '../../imports/uploads/upload.ts'
import type { Upload } from '../../model/imports/upload.ts'
import type { ThingSince } from '../../model/managed/refusal.ts'
import type { Resource } from '../../model/schema.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Markup } from '../../representations/html/markup.ts'
import type { Store } from '../../store/port/store.ts'
import type { FormRefusal } from '../forms/refused-form.ts'
import { ask } from '../parts/ask.ts'
import type { Screen } from '../parts/screen.ts'
import { whyMarkup } from '../problem/why.ts'
import { changedNotice } from './changed-notice.ts'
import { importsPage } from './imports-view.ts'
import type { MatchedColumn } from './matching-form.ts'
import type { ShownImport } from './stage.ts'
import { importPage } from './view.ts'

/** The page on which a file is uploaded, with earlier imports. */
export async function showImports(
  list: Pick<ShownList, 'items' | 'links'>,
  call: Call,
  notice?: Markup,
): Promise<Screen> {
  const imports = Array.from(list.items, (json) => JSON.parse(json) as ShownImport)
  const { addresses } = call.service
  const page = { imports, links: list.links, importable: mayImport(call), notice, addresses }
  return () => importsPage({ ...page, isEverybodys: call.role === 'admin', now: new Date().toISOString() })
}

/** A refused file, or an import that cannot be undone. */
export async function showRefusedImport(refusal: FormRefusal, call: Call): Promise<Screen | undefined> {
  if (call.params.id !== undefined) {
    const { extra } = refusal as { readonly extra?: { readonly things?: readonly ThingSince[] } }
    return showImport(call, changedNotice(whyMarkup(refusal), extra?.things ?? [], call))
  }
  const { items } = await ask(call.desk, collectionsOf(call.schema).imports, 'sort=-id&maxpagesize=20')
  return showImports({ items, links: {} }, call, whyMarkup(refusal))
}

/** An import, in any stage. */
export async function showImport(call: Call, notice?: Markup): Promise<Screen | undefined> {
  const found = await findImport(call)
  if ('problem' in found) return undefined
  const { upload, resource } = found
  const { store, addresses } = call.service
  const matching = matchingOf(upload)
  const isRead = matching !== undefined && upload.stage !== 'done' && upload.stage !== 'undone'
  const columns = isRead ? await matchedColumns(upload, matching, resource, store) : []
  const rejections = upload.rejected === 0 ? [] : await firstRejections(upload.id, store)
  const page = { upload, resource, matching, columns, rejections, addresses, notice }
  return () => importPage({ ...page, fields: fieldsIn(layoutOf(resource)), found: readFound(upload.found) })
}

/** Each column with its field and the first rows, as they would be read. */
async function matchedColumns(
  upload: Upload,
  matching: Matching,
  resource: Resource,
  { imports }: Store,
): Promise<readonly MatchedColumn[]> {
  const { rows } = await headOf(rowFile(uploadedFile(imports, upload), matching), matching)
  const layout = layoutOf(resource)
  return matching.columns.map((column, at) => {
    const known = column.field === null ? undefined : layout.columns.get(column.field)
    const read = known && cellReader(known.kind, column.reading, known.words)
    const isName = known?.kind.refersTo !== undefined
    const cells = rows.map((row) => {
      const cell = row[at] ?? ''
      const found = isBlank(cell) || isName ? undefined : read?.(cell)
      return { cell: textOf(cell), ...(found !== undefined && 'fault' in found && { fault: found.fault }) }
    })
    return { ...column, kind: known?.kind.name, cells }
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
