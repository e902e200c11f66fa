import { dateOrders } from '../../imports/read/date-order.ts'
import { delimiters, encodings } from '../../imports/read/recognise.ts'
import type { Matching } from '../../imports/uploads/matching.ts'
import { anyOfText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { customer } from '../../model/customer/customer.ts'
import type { Resource } from '../../model/schema.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { told } from '../../representations/html/phrase.ts'
import type { StoredImport } from '../../store/port/import-store.ts'
import type { Reason } from '../../values/faults/fault.ts'
import type { Members } from '../../values/members.ts'
import type { Addresses } from '../parts/visit.ts'

/** A column of the file, its field, and its cells in the first rows. */
export interface MatchedColumn {
  readonly heading: string
  readonly field: string | null
  readonly cells: readonly { readonly cell: string; readonly fault?: Reason }[]
}

export interface MatchingForm {
  readonly upload: StoredImport
  readonly resource: Resource
  readonly matching: Matching
  readonly columns: readonly MatchedColumn[]
  readonly fields: readonly string[]
  readonly addresses: Addresses
}

/** Says which field each column is, and shows the first rows as they would be read. */
export function matchingForm({ upload, resource, matching, columns, fields, addresses }: MatchingForm): Markup {
  const missing = missingFields(resource, matching)
  return html`<form class="matching" method="post" action="${addresses.import(upload.id, 'matchings')}" aria-label="${say('Match the columns')}">
<section class="panel" aria-labelledby="columns"><h2 id="columns">${say('Match the columns')}</h2>
<p class="quiet">${say('Match each column of the file to a field. The first rows are shown as they would be read.')}</p>
${
  missing.length > 0 &&
  html`<p class="notice" role="alert">${say('No column is {fields}. Without it nothing new can be created.', {
    fields: anyOfText(missing.map((field) => say(label(field)))),
  })}</p>\n`
}${advice(resource, matching)}<div class="table" role="group" aria-labelledby="columns" tabindex="0"><table>
<thead><tr><th scope="col">${say('In the file')}</th><th scope="col">${say('Field')}</th><th scope="col">${say('First rows')}</th></tr></thead>
<tbody>${columns.map((column, at) => columnRow(column, `column-${at + 1}`, fields))}</tbody></table></div>
<div class="reading"><p class="field"><label for="delimiter">${say('Cells are separated by')}</label><select id="delimiter" name="delimiter">${delimiters.map(
    (each) =>
      html`<option value="${each === '\t' ? 'tab' : each}"${each === matching.delimiter && html` selected`}>${delimiterText(each)}</option>`,
  )}</select></p>
<p class="field"><label for="encoding">${say('Encoding')}</label><select id="encoding" name="encoding">${encodings.map(
    (each) =>
      html`<option lang="en" value="${each}"${each === matching.encoding && html` selected`}>${encodingNames[each]}</option>`,
  )}</select></p>${hasDates(resource) && dateChoice(matching)}</div>
<p class="send"><button type="submit" name="after" value="check">${say('Check all rows')}</button> <button class="plain" type="submit" name="after" value="preview">${say(
    'Update the preview',
  )}</button></p></section></form>
`
}

function columnRow({ heading, field, cells }: MatchedColumn, name: string, fields: readonly string[]): Markup {
  const option = (each: string): Markup =>
    html`<option value="${each}"${each === field && html` selected`}>${say(label(each))}</option>`
  return html`<tr><th scope="row" id="${name}-heading">${heading === '' ? say('Without a heading') : html`<span lang="">${heading}</span>`}</th><td><select name="${name}" aria-labelledby="${name}-heading"><option value="">${say(
    'Ignore this column',
  )}</option>${fields.map(option)}</select></td><td><ul class="cells${field === null && ' ignored'}">${cells.map(
    ({ cell, fault }) =>
      html`<li>${cell === '' ? html`<span class="quiet">${say('empty')}</span>` : html`<span lang="">${cell}</span>`}${fault !== undefined && html`<span class="fault">${told(fault)}</span>`}</li>`,
  )}</ul></td></tr>
`
}

const hasDates = (resource: Resource): boolean => Object.values(resource.kinds).some(({ name }) => name === 'date')

const dateChoice = ({ dates }: Matching): Markup => html`
<p class="field"><label for="dates">${say('Dates are written')}</label><select id="dates" name="dates">${Object.entries(
  dateOrders,
).map(
  ([order, example]) => html`<option value="${order}"${order === dates && html` selected`}>${example}</option>`,
)}</select></p>`

/** The fields without which a row creates nothing; none where rows name what there is. */
function missingFields({ name, create }: Resource, { columns }: Matching): readonly string[] {
  if (columns.includes('id') && name !== customer.name) return []
  return Object.entries(create as Members).flatMap(([field, { required }]) =>
    required && !columns.includes(field) ? [field] : [],
  )
}

/** Says what happens when the file is imported twice. */
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

/** As spreadsheets call them, in every language. */
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
