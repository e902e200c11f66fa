import type { Addresses } from '../../http/contract/addresses.ts'
import type { PageLinks } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { label } from '../../representations/html/label.ts'
import { pager } from '../../representations/html/table.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { agoMarkup } from '../parts/moment.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { type ShownImport, stageMark, uploadName } from './stage.ts'

export interface ImportsPage {
  readonly imports: readonly ShownImport[]
  readonly links: PageLinks
  readonly importable: readonly Resource[]
  /** Why a file was refused. */
  readonly notice: Markup | undefined
  /** Whether the imports of others are among them. */
  readonly isEverybodys: boolean
  readonly addresses: Addresses
  readonly now: string
}

/** The upload form, and earlier imports. */
export function importsPage(page: ImportsPage): Markup {
  const { imports, links, importable, notice, addresses } = page
  const head = pageHead({
    title: say('Import'),
    about: say('Upload a CSV or Excel file. Nothing changes before you have seen what would happen.'),
  })
  const refused = notice !== undefined && html`<p class="notice" role="alert">${notice}</p>\n`
  const upload = panel('upload', say('Upload a file'), [refused, uploadForm(importable, addresses)])
  return html`${head}${upload}${imports.length > 0 && importTable(page)}${pager(links)}`
}

function uploadForm(importable: readonly Resource[], addresses: Addresses): Markup {
  const choices = importable.map(({ name, plural }, at) => {
    const isFirst = at === 0 && html` checked`
    const box = html`<input type="radio" name="on" value="${name}" required${isFirst}>`
    return html`<label>${box} ${say(label(plural))}</label>\n`
  })
  const about = say('With a row of headings, up to 50 MB. Separators, encoding and columns are recognised.')
  const types = '.csv,.tsv,.txt,.xlsx,text/csv,text/plain'
  return html`<form class="upload" method="post" action="${addresses.imports}" enctype="multipart/form-data">
<fieldset><legend>${say('What does it contain?')}</legend>${choices}</fieldset>
<p><label for="file">${say('File')}</label>
<input id="file" type="file" name="file" accept="${types}" aria-describedby="file-note">
<span class="quiet" id="file-note">${about}</span></p>
<details><summary>${say('Or paste rows')}</summary>
<p><label for="text">${say('Rows, with their headings first')}</label>
<textarea id="text" name="text" rows="6" spellcheck="false"></textarea></p></details>
<p class="send"><button type="submit">${say('Upload')}</button></p>
</form>`
}

const importTable = ({ imports, isEverybodys, now, addresses }: ImportsPage): Markup =>
  table({
    id: 'uploads',
    caption: say('Imports of the last 30 days'),
    columns: [
      { head: say('File'), cell: (each: ShownImport) => crumb(addresses.import(each.id), uploadName(each)) },
      { head: say('Holds'), kind: 'wide', cell: ({ resource }) => say(label(resource)) },
      { head: say('Status'), cell: stageMark },
      ...(isEverybodys
        ? [{ head: say('By'), kind: 'wide', cell: ({ owner }: ShownImport) => owner ?? say('Command line') } as const]
        : []),
      { head: say('Uploaded'), kind: 'wide', cell: ({ createdAt }) => agoMarkup(createdAt, Date.parse(now)) },
    ],
    rows: imports,
  })
