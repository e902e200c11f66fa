import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Upload } from '../../model/imports/upload.ts'
import type { Resource } from '../../model/schema.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { agoMarkup } from '../parts/moment.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import type { RefusedUpload } from './refused-upload.ts'
import { stageMark, uploadName } from './stage.ts'

export interface ImportsPage {
  readonly uploads: readonly Upload[]
  readonly importable: readonly Resource[]
  readonly refused: RefusedUpload | undefined
  readonly addresses: Addresses
  readonly now: string
}

/** The upload form, and earlier uploads. */
export function importsPage({ uploads, importable, refused, addresses, now }: ImportsPage): Markup {
  const head = pageHead({
    title: say('Import'),
    about: say('Save a spreadsheet as CSV and upload it. Nothing changes before you have seen what would happen.'),
  })
  const notice = refused !== undefined && html`<p class="notice" role="alert">${refusedText(refused)}</p>\n`
  const upload = panel('upload', say('Upload a file'), [notice, uploadForm(importable, addresses)])
  return html`${head}${upload}${uploads.length > 0 && uploadTable(uploads, Date.parse(now), addresses)}`
}

function uploadForm(importable: readonly Resource[], addresses: Addresses): Markup {
  const choices = importable.map(({ plural }, at) => {
    const isFirst = at === 0 && html` checked`
    const box = html`<input type="radio" name="what" value="${plural}" required${isFirst}>`
    return html`<label>${box} ${say(label(plural))}</label>\n`
  })
  const about = say(
    'CSV with a row of headings, up to 50 MB. Comma, semicolon or tab, and the encoding, are recognised.',
  )
  return html`<form class="upload" method="post" action="${addresses.imports}" enctype="multipart/form-data">
<fieldset><legend>${say('What does it contain?')}</legend>${choices}</fieldset>
<p><label for="file">${say('File')}</label>
<input id="file" type="file" name="file" accept=".csv,.tsv,.txt,text/csv,text/plain" aria-describedby="file-note">
<span class="quiet" id="file-note">${about}</span></p>
<details><summary>${say('Or paste rows')}</summary>
<p><label for="text">${say('Rows, with their headings first')}</label>
<textarea id="text" name="text" rows="6" spellcheck="false"></textarea></p></details>
<p class="send"><button type="submit">${say('Upload')}</button></p>
</form>`
}

const uploadTable = (uploads: readonly Upload[], now: number, addresses: Addresses): Markup =>
  table({
    id: 'uploads',
    caption: say('Your imports. They are kept for a day.'),
    columns: [
      { head: say('File'), cell: (upload) => crumb(addresses.import(upload.id), uploadName(upload)) },
      { head: say('Holds'), kind: 'wide', cell: ({ resource }) => say(label(resource)) },
      { head: say('Status'), cell: stageMark },
      { head: say('Uploaded'), kind: 'wide', cell: ({ createdAt }) => agoMarkup(createdAt, now) },
    ],
    rows: uploads,
  })

function refusedText(refused: RefusedUpload): Text {
  if (typeof refused === 'object') {
    return say('The quotes in the row of headings are not as in CSV. Correct them, then upload the file again.')
  }
  switch (refused) {
    case 'resource':
      return say('Choose what the file contains.')
    case 'order':
      return say('The form must say what the file contains before it sends the file.')
    case 'size':
      return say('The file has more than 50 MB. Larger files are imported on the command line.')
    case 'columns':
      return say('The file has more than 200 columns. Leave out those that are not imported, then upload it again.')
    case 'empty':
      return say('There is nothing to import: choose a file that has rows, or paste some.')
    case 'compressed':
      return say('The file is compressed. Unpack it first.')
    case 'spreadsheet':
      return say('This is a spreadsheet, not CSV. Open it and save it as CSV, then upload that.')
    case 'json':
      return say('This is JSON, not CSV. Save the rows as CSV, then upload that.')
    default:
      return say('The file is not a text file. Save it as CSV, then upload that.')
  }
}
