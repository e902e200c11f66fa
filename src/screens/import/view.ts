import type { Addresses } from '../../http/contract/addresses.ts'
import type { Rejection } from '../../imports/read/read-waves.ts'
import type { Matching } from '../../imports/uploads/matching.ts'
import { numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { rowsOf } from '../../model/imports/import-counts.ts'
import type { Upload } from '../../model/imports/upload.ts'
import type { Resource } from '../../model/schema.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { faultsMarkup } from '../problem/why.ts'
import { type MatchedColumn, matchingForm } from './matching-form.ts'
import { stageMark, uploadName } from './stage.ts'

export interface ImportPage {
  readonly upload: Upload
  readonly resource: Resource
  /** Absent while the file is uploaded. */
  readonly matching: Matching | undefined
  readonly columns: readonly MatchedColumn[]
  /** The fields that a column may be. */
  readonly fields: readonly string[]
  /** The first of them. */
  readonly rejections: readonly Rejection[]
  readonly addresses: Addresses
}

/** An upload: its columns, the findings of a check, the progress of the import, and its result. */
export function importPage(page: ImportPage): Markup {
  const { upload, addresses } = page
  const head = pageHead({
    crumbs: crumb(addresses.imports, say('Import')),
    title: uploadName(upload),
    marks: stageMark(upload),
  })
  return html`${head}${stagePanel(page)}`
}

function stagePanel(page: ImportPage): Markup {
  const { upload } = page
  const { stage, isRunning } = upload
  if (stage === 'uploading')
    return html`<p class="empty">${say('The upload is incomplete. Upload the file again.')}</p>\n`
  if (stage === 'matching') return html`${matchingPanel(page)}${removal(page)}`
  if (stage === 'done') return donePanel(page)
  if (isRunning) return progressPanel(page)
  if (stage === 'checked') return checkedPanel(page)
  return stoppedPanel(page)
}

const matchingPanel = ({ upload, resource, matching, columns, fields, addresses }: ImportPage): Markup | undefined =>
  matching && matchingForm({ upload, resource, matching, columns, fields, addresses })

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
function countList({ inserted, updated, unchanged, rejected, stage }: Upload): Markup {
  const isDone = stage === 'done' || stage === 'importing'
  const row = (name: Text, count: number, kind = ''): Markup =>
    html`<div${kind !== '' && html` class="${kind}"`}><dt>${name}</dt><dd>${numberText(count)}</dd></div>`
  const rows = [
    row(isDone ? say('Created|rows') : say('New'), inserted),
    row(say('Changed|rows'), updated),
    row(say('Unchanged'), unchanged),
    row(say('Rejected'), rejected, rejected > 0 ? 'wrong' : ''),
  ]
  return html`<dl class="counts">${rows}</dl>
`
}

function checkedPanel(page: ImportPage): Markup {
  const { upload, addresses } = page
  const count = rowsOf(upload)
  const left = say('Rejected rows are left out. You can correct them and upload them afterwards.')
  const note = upload.rejected > 0 && html` <span class="quiet">${left}</span>`
  const run = html`<form class="send" method="post" action="${addresses.import(upload.id, 'runs')}">
<button type="submit">${say('Import {count} rows', { count })}</button>${note}</form>\n`
  const none = html`<p>${say('No row can be imported as the columns are matched now.')}</p>\n`
  const found = panel('checked', say('What the import would do'), [countList(upload), count === 0 ? none : run])
  return html`${found}${rejectedPanel(page)}${matchingAgain(page, count === 0)}${removal(page)}`
}

const matchingAgain = (page: ImportPage, isOpen: boolean): Markup =>
  html`<details class="panel"${isOpen && html` open`}><summary>${say('Change how the file is read')}</summary>
${matchingPanel(page)}</details>
`

function rejectedPanel({ upload, rejections, addresses }: ImportPage): Markup | undefined {
  const { rejected, id } = upload
  if (rejected === 0) return undefined
  const file = addresses.import(id, 'rejected.csv')
  const rows = table({
    id: 'rejected-title',
    columns: [
      { head: say('Line'), kind: 'number', cell: ({ line }) => numberText(line) },
      { head: say('Why'), cell: ({ faults }) => faultsMarkup(faults) },
      { head: say('Row'), kind: 'wide', cell: ({ row }) => html`<code>${shortened(row)}</code>` },
    ],
    rows: rejections,
  })
  const count = rejected - rejections.length
  const more = html`<p class="quiet">${say('And {count} more, all of them in the file.', { count })}</p>\n`
  const about = say('The file has your columns and why each row was rejected. Correct it and upload it again.')
  const content = html`<p><a class="button plain" href="${file}" download>${say('Download the rejected rows')}</a></p>
<p class="quiet">${about}</p>
${rows}${count > 0 && more}`
  return panel('rejected', say('{count} rows rejected', { count: rejected }), content)
}

const LONGEST_SHOWN = 120
const shortened = (row: string): string => {
  const shown = row.toWellFormed()
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown
}

function stoppedPanel(page: ImportPage): Markup {
  const { upload, addresses } = page
  const isImport = upload.stage === 'importing'
  const stays = isImport && say('Imported rows stay, and are not imported again when you continue.')
  const content = html`<p class="notice" role="alert">${whyStopped(upload)} ${stays}</p>
${isImport && countList(upload)}<form class="send" method="post" action="${addresses.import(upload.id, 'runs')}">
<button type="submit">${isImport ? say('Continue the import') : say('Check again')}</button></form>`
  const title = isImport ? say('The import has stopped') : say('The check has stopped')
  const next = isImport ? rejectedPanel(page) : matchingAgain(page, false)
  return html`${panel('stopped', title, content)}${next}${removal(page)}`
}

function whyStopped({ fault }: Upload): Text {
  switch (fault) {
    case null:
      return say('The service stopped meanwhile.')
    case 'store':
      return say('The database could not be reached.')
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
  return html`${panel('done', say('The import is done'), content)}${rejectedPanel(page)}`
}

const removal = ({ upload, addresses }: ImportPage): Markup =>
  html`<form class="send" method="post" action="${addresses.import(upload.id, 'removals')}">
<button class="plain" type="submit">${say('Remove this upload')}</button></form>
`
