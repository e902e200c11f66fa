import type { Addresses } from '../../http/contract/addresses.ts'
import type { RowLayout } from '../../imports/columns/layout.ts'
import { headingsOf } from '../../imports/read/column-faults.ts'
import type { Matching } from '../../imports/read/matching.ts'
import type { Rejection } from '../../imports/read/read-waves.ts'
import type { FoundInFile } from '../../imports/uploads/found.ts'
import { numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { rowsOf } from '../../model/nouns/imports/import-counts.ts'
import type { Upload } from '../../model/nouns/imports/upload.ts'
import type { Person } from '../../model/nouns/user/person.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import { type MatchedColumn, matchingForm } from './matching-form.ts'
import { type PreviewRow, previewTable } from './preview-table.ts'
import { rejectedPanel } from './rejected-panel.ts'
import { stageMark, uploadName } from './stage.ts'
import { valuesForm } from './values-form.ts'

export interface ImportPage {
  readonly upload: Upload
  readonly resource: Resource
  /** Absent while the file is uploaded, and for the command line. */
  readonly matching: Matching | undefined
  readonly columns: readonly MatchedColumn[]
  /** The fields that a column may be. */
  readonly fields: readonly string[]
  readonly found: FoundInFile
  readonly layout: RowLayout
  readonly sheets: readonly string[]
  /** The first rows as they will be. */
  readonly preview: readonly PreviewRow[]
  readonly people: readonly Person[]
  readonly isAdmin: boolean
  /** The first of them. */
  readonly rejections: readonly Rejection[]
  /** Why what was asked was refused. */
  readonly notice: Markup | undefined
  readonly addresses: Addresses
}

/** An import: its columns, the findings of the check, the progress, and its result. */
export function importPage(page: ImportPage): Markup {
  const { upload, addresses, notice } = page
  const head = pageHead({
    crumbs: crumb(addresses.imports, say('Import')),
    title: uploadName(upload),
    marks: stageMark(upload),
  })
  return html`${head}${notice}${stagePanel(page)}`
}

function stagePanel(page: ImportPage): Markup {
  switch (page.upload.stage) {
    case 'checking':
    case 'importing':
      return progressPanel(page)
    case 'asking':
      return html`${matchingForm(page)}${valuesForm(page)}${removal(page)}`
    case 'ready':
      return readyPanel(page)
    case 'done':
      return donePanel(page)
    case 'undone':
      return undonePanel(page)
    case 'failed':
      return stoppedPanel(page)
  }
}

function progressPanel({ upload }: ImportPage): Markup {
  const { stage, position, size, rejected } = upload
  const share = Math.min(99, Math.floor((100 * position) / Math.max(1, size)))
  const title = stage === 'checking' ? say('Checking the rows') : say('Importing the rows')
  const bar = html`<progress max="100" value="${share}" aria-labelledby="progress-title">${share} %</progress>`
  const content = html`<p>${bar}</p>
<p role="status">${say('{count} rows so far', { count: rowsOf(upload) + rejected })}</p>
<p class="quiet">${say('You can leave this page: the work continues, and you find it under Import.')}</p>`
  return panel('progress', title, content)
}

/** The counts of a check or an import. */
function countList({ inserted, updated, unchanged, rejected, stage, work }: Upload, creates = 0): Markup {
  const isDone = stage !== 'ready' || work !== null
  const row = (name: Text, count: number, kind = ''): Markup =>
    html`<div${kind !== '' && html` class="${kind}"`}><dt>${name}</dt><dd>${numberText(count)}</dd></div>`
  const rows = [
    row(isDone ? say('Created|rows') : say('New'), inserted),
    ...(creates > 0 ? [row(isDone ? say('Created with them') : say('New with them'), creates)] : []),
    row(say('Changed|rows'), updated),
    row(say('Unchanged'), unchanged),
    row(say('Rejected'), rejected, rejected > 0 ? 'wrong' : ''),
  ]
  return html`<dl class="counts">${rows}</dl>
`
}

function readyPanel(page: ImportPage): Markup {
  const { upload, addresses } = page
  const count = rowsOf(upload)
  const left = say('Rejected rows are left out. You can correct them and upload them afterwards.')
  const note = upload.rejected > 0 && html` <span class="quiet">${left}</span>`
  const run = html`<form class="send" method="post" action="${addresses.import(upload.id, 'runs')}">
<button type="submit">${say('Import {count} rows', { count })}</button>${note}</form>\n`
  const isBare = upload.rejected === 0
  const why = isBare
    ? say('The file has headings and no rows.')
    : say('No row can be imported as the columns are matched now.')
  const none = html`<p>${why}</p>\n`
  const title = count === 0 ? say('Nothing to import') : say('Preview')
  const { preview, resource, matching, found } = page
  const rows = previewTable(preview, resource, headingsOf(matching?.columns ?? []))
  const counts = countList(upload, found.creates)
  const checked = panel('checked', title, [counts, rows, knownNotice(found), count === 0 ? none : run])
  const again = matchingAgain(page, count === 0 && !isBare)
  return html`${checked}${valuesForm(page)}${rejectedPanel(page)}${again}${removal(page)}`
}

/** Nothing says which things the rows are: they would be made twice. */
const knownNotice = ({ looksKnown: count }: FoundInFile): Markup | false =>
  count > 0 &&
  html`<p class="notice" role="alert">${say('{count} rows look like entries that are there already. No column says which they are, so importing them makes them twice.', { count })}</p>\n`

const matchingAgain = (page: ImportPage, isOpen: boolean): Markup =>
  html`<details class="panel"${isOpen && html` open`}><summary>${say('Change how the file is read')}</summary>
${matchingForm(page)}</details>
`

function stoppedPanel(page: ImportPage): Markup {
  const { upload, addresses, matching } = page
  const { work } = upload
  if (work === 'uploading')
    return html`<p class="empty">${say('The upload is incomplete. Upload the file again.')}</p>\n${removal(page)}`
  const isImport = work === 'importing'
  const stays = isImport && say('Imported rows stay, and are not imported again when you continue.')
  const again = html`<form class="send" method="post" action="${addresses.import(upload.id, 'runs')}">
<button type="submit">${isImport ? say('Continue the import') : say('Check again')}</button></form>`
  const content = html`<p class="notice" role="alert">${whyStopped(upload)} ${stays}</p>
${isImport && countList(upload)}${matching !== undefined && again}`
  const title = isImport ? say('The import has stopped') : say('The check has stopped')
  const next = isImport ? [rejectedPanel(page), undoing(page)] : matchingAgain(page, upload.fault === 'header')
  return html`${panel('stopped', title, content)}${next}${removal(page)}`
}

function whyStopped({ fault }: Upload): Text {
  switch (fault) {
    case null:
      return say('The service stopped meanwhile.')
    case 'store':
      return say('The database could not be reached.')
    case 'header':
      return say('A row needs a column that the file lacks, or that no field is chosen for.')
    case 'long line':
      return say('The file has a line that is longer than any row can be.')
    default:
      return say('The file cannot be read.')
  }
}

function donePanel(page: ImportPage): Markup {
  const { upload, resource, addresses } = page
  const list = html`<a class="button" href="${addresses.base}${resource.path}">${say('Open the list')}</a>`
  const another = html`<a class="button plain" href="${addresses.imports}">${say('Import another file')}</a>`
  const content = html`${countList(upload)}<p class="send">${list} ${another}</p>`
  return html`${panel('done', say('The import is done'), content)}${undoing(page)}${rejectedPanel(page)}`
}

function undonePanel({ addresses }: ImportPage): Markup {
  const another = html`<a class="button plain" href="${addresses.imports}">${say('Import another file')}</a>`
  const content = html`<p>${say('What it created is removed, and what it changed is as it was before.')}</p>
<p class="send">${another}</p>`
  return panel('undone', say('The import is undone'), content)
}

/** Folded, so that it is not pressed by mistake. */
function undoing({ upload, addresses }: ImportPage): Markup | undefined {
  const { id, inserted, updated } = upload
  if (inserted + updated === 0) return undefined
  const created = say('{count} created rows are removed.', { count: inserted })
  const changed = say('{count} changed rows become as they were before.', { count: updated })
  return html`<details class="panel"><summary>${say('Undo this import')}</summary>
<p>${inserted > 0 && created} ${updated > 0 && changed}</p>
<form class="send" method="post" action="${addresses.import(id, 'undoings')}">
<button class="danger" type="submit">${say('Undo the import')}</button></form></details>
`
}

const removal = ({ upload, addresses }: ImportPage): Markup =>
  html`<form class="send" method="post" action="${addresses.import(upload.id, 'removals')}">
<button class="plain" type="submit">${say('Remove this upload')}</button></form>
`
