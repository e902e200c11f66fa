import type { Rejection } from '../../imports/read/read-waves.ts'
import type { Matching } from '../../imports/uploads/matching.ts'
import { numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { rowsOf } from '../../model/imports/import-counts.ts'
import type { Resource } from '../../model/schema.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import type { StoredImport } from '../../store/port/import-store.ts'
import type { Addresses } from '../parts/visit.ts'
import { faultsMarkup } from '../problem/why.ts'
import { type MatchedColumn, matchingForm } from './matching-form.ts'
import { stageMark, uploadName } from './stage.ts'

export interface ImportPage {
  readonly upload: StoredImport
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

/** An upload: its columns, what a check found, how far the import is, and what came of it. */
export function importPage(page: ImportPage): Markup {
  const { upload, addresses } = page
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.imports}">${say('Import')}</a></p><h1>${uploadName(
    upload,
  )}</h1><p class="marks">${stageMark(upload)}</p></div></header>
${stagePanel(page)}`
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
  const { stage, position, size, counts, rejected } = upload
  const share = Math.min(99, Math.floor((100 * position) / Math.max(1, size)))
  const title = stage === 'checking' ? say('Checking the rows') : say('Importing the rows')
  return html`<section class="panel" aria-labelledby="progress"><h2 id="progress">${title}</h2>
<p><progress max="100" value="${share}" aria-labelledby="progress">${share} %</progress></p>
<p role="status">${say('{count} rows so far', { count: rowsOf(counts) + rejected })}</p>
<p class="quiet">${say('You can leave this page: the work continues, and you find it under Import.')}</p></section>
`
}

/** What a check or an import came to. */
function countList({ counts, rejected, stage }: StoredImport): Markup {
  const isDone = stage === 'done' || stage === 'importing'
  const row = (name: Text, count: number, kind = ''): Markup =>
    html`<div${kind !== '' && html` class="${kind}"`}><dt>${name}</dt><dd>${numberText(count)}</dd></div>`
  return html`<dl class="counts">${row(isDone ? say('Created|rows') : say('New'), counts.inserted)}${row(say('Changed|rows'), counts.updated)}${row(
    say('Unchanged'),
    counts.unchanged,
  )}${row(say('Rejected'), rejected, rejected > 0 ? 'wrong' : '')}</dl>
`
}

function checkedPanel(page: ImportPage): Markup {
  const { upload, addresses } = page
  const rows = rowsOf(upload.counts)
  return html`<section class="panel" aria-labelledby="checked"><h2 id="checked">${say('What the import would do')}</h2>
${countList(upload)}${
  rows === 0
    ? html`<p>${say('No row can be imported as the columns are matched now.')}</p>\n`
    : html`<form class="send" method="post" action="${addresses.import(upload.id, 'runs')}"><button type="submit">${say(
        'Import {count} rows',
        {
          count: rows,
        },
      )}</button>${
        upload.rejected > 0 &&
        html` <span class="quiet">${say('Rejected rows are left out. You can correct them and upload them afterwards.')}</span>`
      }</form>\n`
}</section>
${rejectedPanel(page)}<details class="panel"${rows === 0 && html` open`}><summary>${say('Change how the file is read')}</summary>${matchingPanel(page)}</details>
${removal(page)}`
}

function rejectedPanel({ upload, rejections, addresses }: ImportPage): Markup | undefined {
  const { rejected, id } = upload
  if (rejected === 0) return undefined
  return html`<section class="panel" aria-labelledby="rejected"><h2 id="rejected">${say('{count} rows rejected', { count: rejected })}</h2>
<p><a class="button plain" href="${addresses.import(id, 'rejected.csv')}" download>${say('Download the rejected rows')}</a></p>
<p class="quiet">${say('The file has your columns and why each row was rejected. Correct it and upload it again.')}</p>
<div class="table" role="group" aria-labelledby="rejected" tabindex="0"><table>
<thead><tr><th scope="col" class="number">${say('Line')}</th><th scope="col">${say('Why')}</th><th scope="col" class="wide">${say('Row')}</th></tr></thead>
<tbody>${rejections.map(
    ({ line, faults, row }) =>
      html`<tr><td class="number">${numberText(line)}</td><td>${faultsMarkup(faults)}</td><td class="wide"><code>${shortened(row)}</code></td></tr>\n`,
  )}</tbody></table></div>
${rejected > rejections.length && html`<p class="quiet">${say('And {count} more, all of them in the file.', { count: rejected - rejections.length })}</p>\n`}</section>
`
}

const LONGEST_SHOWN = 120
const shortened = (row: string): string => {
  const shown = row.toWellFormed()
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown
}

function stoppedPanel(page: ImportPage): Markup {
  const { upload, addresses } = page
  const { stage, id } = upload
  const isImport = stage === 'importing'
  return html`<section class="panel" aria-labelledby="stopped"><h2 id="stopped">${isImport ? say('The import has stopped') : say('The check has stopped')}</h2>
<p class="notice" role="alert">${whyStopped(upload)} ${isImport && say('Imported rows stay, and are not imported again when you continue.')}</p>
${isImport && countList(upload)}<form class="send" method="post" action="${addresses.import(id, 'runs')}"><button type="submit">${
    isImport ? say('Continue the import') : say('Check again')
  }</button></form></section>
${isImport && rejectedPanel(page)}${!isImport && html`<details class="panel"><summary>${say('Change how the file is read')}</summary>${matchingPanel(page)}</details>\n`}${removal(page)}`
}

function whyStopped({ fault }: StoredImport): Text {
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
  return html`<section class="panel" aria-labelledby="done"><h2 id="done">${say('The import is done')}</h2>
${countList(upload)}<p class="send"><a class="button" href="${addresses.base}${resource.path}">${say('Open the list')}</a> <a class="button plain" href="${addresses.imports}">${say(
    'Import another file',
  )}</a></p></section>
${rejectedPanel(page)}`
}

const removal = ({ upload, addresses }: ImportPage): Markup =>
  html`<form class="send" method="post" action="${addresses.import(upload.id, 'removals')}"><button class="plain" type="submit">${say('Remove this upload')}</button></form>
`
