import type { Addresses } from '../../http/contract/addresses.ts'
import { dateOrders } from '../../imports/read/date-order.ts'
import { delimiters, encodings } from '../../imports/read/recognise.ts'
import type { Matching } from '../../imports/uploads/matching.ts'
import { anyOfText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text, Words } from '../../languages/text.ts'
import { customer } from '../../model/customer/customer.ts'
import type { Upload } from '../../model/imports/upload.ts'
import type { Resource } from '../../model/schema.ts'
import { label } from '../../representations/html/label.ts'
import { type Hole, html, type Markup } from '../../representations/html/markup.ts'
import { told } from '../../representations/html/phrase.ts'
import type { Reason } from '../../values/faults/fault.ts'
import type { Members } from '../../values/members.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'

/** A column of the file, its field, and its cells in the first rows. */
export interface MatchedColumn {
  readonly heading: string
  readonly field: string | null
  readonly cells: readonly { readonly cell: string; readonly fault?: Reason }[]
}

export interface MatchingForm {
  readonly upload: Upload
  readonly resource: Resource
  readonly matching: Matching
  readonly columns: readonly MatchedColumn[]
  readonly fields: readonly string[]
  readonly addresses: Addresses
}

/** Matches columns to fields, and shows the first rows as they would be read. */
export function matchingForm({ upload, resource, matching, columns, fields, addresses }: MatchingForm): Markup {
  const name = say('Match the columns')
  const rows = table({
    id: 'columns-title',
    columns: [
      { head: say('In the file'), cell: ({ heading, name }) => headingMarkup(heading, name) },
      { head: say('Field'), cell: ({ field, name }) => fieldChoice(field, name, fields) },
      { head: say('First rows'), cell: ({ field, cells }) => firstCells(cells, field === null) },
    ],
    rows: columns.map((column, at) => ({ ...column, name: `column-${at + 1}` })),
  })
  const about = say('Match each column of the file to a field. The first rows are shown as they would be read.')
  const content = html`<p class="quiet">${about}</p>
${missingNotice(resource, matching)}${advice(resource, matching)}${rows}
<div class="reading">${reading(resource, matching)}</div>
<p class="send"><button type="submit" name="after" value="check">${say('Check all rows')}</button>
<button class="plain" type="submit" name="after" value="preview">${say('Update the preview')}</button></p>`
  const action = addresses.import(upload.id, 'matchings')
  return html`<form class="matching" method="post" action="${action}" aria-label="${name}">
${panel('columns', name, content)}</form>
`
}

const headingMarkup = (heading: string, name: string): Markup =>
  heading === ''
    ? html`<span id="${name}-heading">${say('Without a heading')}</span>`
    : html`<span id="${name}-heading" lang="">${heading}</span>`

function fieldChoice(field: string | null, name: string, fields: readonly string[]): Markup {
  const options = fields.map((each) => option(each, say(label(each)), each === field))
  return html`<select name="${name}" aria-labelledby="${name}-heading">
<option value="">${say('Ignore this column')}</option>${options}</select>`
}

function firstCells(cells: MatchedColumn['cells'], isIgnored: boolean): Markup {
  const entries = cells.map(({ cell, fault }) => {
    const shown = cell === '' ? html`<span class="quiet">${say('empty')}</span>` : html`<span lang="">${cell}</span>`
    return html`<li>${shown}${fault !== undefined && html`<span class="fault">${told(fault)}</span>`}</li>`
  })
  return html`<ul class="cells${isIgnored && ' ignored'}">${entries}</ul>`
}

/** The format of the file. */
function reading(resource: Resource, matching: Matching): readonly Hole[] {
  const { delimiter, encoding, dates } = matching
  const hasDates = Object.values(resource.kinds).some(({ name }) => name === 'date')
  return [
    choice(
      'delimiter',
      say('Cells are separated by'),
      delimiters.map((each) => option(each === '\t' ? 'tab' : each, delimiterText(each), each === delimiter)),
    ),
    choice(
      'encoding',
      say('Encoding'),
      encodings.map((each) => option(each, encodingNames[each], each === encoding, html` lang="en"`)),
    ),
    hasDates &&
      choice(
        'dates',
        say('Dates are written'),
        Object.entries(dateOrders).map(([order, example]) => option(order, example, order === dates)),
      ),
  ]
}

const choice = (name: string, title: Text, options: readonly Markup[]): Markup =>
  html`<p class="field"><label for="${name}">${title}</label><select id="${name}" name="${name}">${options}</select></p>
`

const option = (value: string, text: Words, isChosen: boolean, more?: Markup): Markup =>
  html`<option value="${value}"${more}${isChosen && html` selected`}>${text}</option>`

function missingNotice(resource: Resource, matching: Matching): Markup | undefined {
  const missing = missingFields(resource, matching)
  if (missing.length === 0) return undefined
  const fields = anyOfText(missing.map((field) => say(label(field))))
  const text = say('No column is {fields}. Without it nothing new can be created.', { fields })
  return html`<p class="notice" role="alert">${text}</p>\n`
}

/** The fields without which a row creates nothing; none if rows name existing things. */
function missingFields({ name, create }: Resource, { columns }: Matching): readonly string[] {
  if (columns.includes('id') && name !== customer.name) return []
  return Object.entries(create as Members).flatMap(([field, { required }]) =>
    required && !columns.includes(field) ? [field] : [],
  )
}

/** Explains what happens if the file is imported twice. */
function advice({ name }: Resource, { columns }: Matching): Markup | undefined {
  if (columns.includes('id') || columns.includes('reference')) return undefined
  return html`<p class="quiet">${
    name === customer.name
      ? say('No column is the id, so each row becomes a new customer. Import such a file once only.')
      : say(
          'No column is the id or a reference, so each row becomes a new entry. With a reference, a number of your own, the same file can be imported again.',
        )
  }</p>\n`
}

function delimiterText(delimiter: (typeof delimiters)[number]): Text {
  switch (delimiter) {
    case ',':
      return say('Comma')
    case ';':
      return say('Semicolon')
    case '\t':
      return say('Tab')
    case '|':
      return say('Vertical bar')
  }
}

/** As spreadsheets name them, in every language. */
const encodingNames: { readonly [E in (typeof encodings)[number]]: string } = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  macintosh: 'Macintosh',
  shift_jis: 'Shift JIS',
  gb18030: 'GB 18030',
}
