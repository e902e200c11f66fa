import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { findImport, mayImport } from '../../http/endpoints/imports/addressed-import.ts'
import { type Cell, isBlank, textOf } from '../../imports/cells/cell.ts'
import { cellReader } from '../../imports/cells/cell-reader.ts'
import { fieldsIn, layoutOf, type RowLayout } from '../../imports/columns/layout.ts'
import type { FileBytes } from '../../imports/file/file-bytes.ts'
import { headOf, knownHeadings } from '../../imports/read/head.ts'
import type { Matching } from '../../imports/read/matching.ts'
import type { Rejection } from '../../imports/read/read-waves.ts'
import { rowFile } from '../../imports/read/row-file.ts'
import { sheetNames } from '../../imports/sheet/workbook.ts'
import { readFound } from '../../imports/uploads/found.ts'
import { rejectedIn } from '../../imports/uploads/rejected.ts'
import { matchingOf } from '../../imports/uploads/stored-matching.ts'
import { uploadedFile } from '../../imports/uploads/upload.ts'
import type { ThingSince } from '../../model/declaration/refusal.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { collectionsOf } from '../../queries/collections.ts'
import type { Markup } from '../../representations/markup/markup.ts'
import type { Store } from '../../store/port/store.ts'
import type { FormRefusal } from '../forms/refused-form.ts'
import { ask } from '../parts/ask.ts'
import type { Screen } from '../parts/screen.ts'
import { whyMarkup } from '../problem/why.ts'
import { changedNotice } from './changed-notice.ts'
import { importsPage } from './imports-view.ts'
import type { MatchedColumn } from './matching-form.ts'
import { previewRows } from './preview-table.ts'
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
  const file = uploadedFile(store.imports, upload)
  const rows = isRead ? await firstRows(file, matching, resource) : []
  const sheets = isRead && matching.format === 'xlsx' ? (await sheetNames(file)).visible : []
  const layout = layoutOf(resource, store.defaults.currency, matching?.zone)
  const columns = isRead ? matchedColumns(rows, matching, layout) : []
  const users = await store.accounts.users()
  const people = users.filter(({ disabled }) => !disabled)
  const preview = isRead ? previewRows(rows, resource, layout, matching, users) : []
  const rejections = upload.rejected === 0 ? [] : await firstRejections(upload.id, store)
  const shown = {
    columns,
    sheets,
    preview,
    people,
    rejections,
    layout,
    isAdmin: call.role === null || call.role === 'admin',
  }
  const page = { upload, resource, matching, addresses, notice, ...shown }
  return () => importPage({ ...page, fields: fieldsIn(layout), found: readFound(upload.found) })
}

async function firstRows(
  file: FileBytes,
  matching: Matching,
  resource: Resource,
): Promise<readonly (readonly Cell[])[]> {
  const shape = { ...matching, known: knownHeadings(resource), at: matching.headerAt }
  return (await headOf(rowFile(file, matching), shape)).rows
}

/** Each column with its field and the first rows, as they would be read. */
function matchedColumns(
  rows: readonly (readonly Cell[])[],
  { columns, zone }: Matching,
  layout: RowLayout,
): readonly MatchedColumn[] {
  return columns.map((column, at) => {
    const known = column.field === null ? undefined : layout.columns.get(column.field)
    const read = known && cellReader(known.kind, column.reading, { words: known.words, zone })
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
