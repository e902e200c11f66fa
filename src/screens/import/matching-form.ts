import type { Addresses } from '../../http/contract/addresses.ts'
import type { AskedAbout, AskedReading, FileColumn } from '../../imports/cells/reading.ts'
import type { Matching } from '../../imports/read/matching.ts'
import { delimiters, encodings } from '../../imports/read/recognise.ts'
import type { FoundInFile } from '../../imports/uploads/found.ts'
import { anyOfText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text, Words } from '../../languages/text.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { customer } from '../../model/nouns/customer/customer.ts'
import type { Upload } from '../../model/nouns/imports/upload.ts'
import { fieldTitle } from '../../representations/html/field-title.ts'
import { told } from '../../representations/html/phrase.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import type { Reason } from '../../values/faults/fault.ts'
import type { KindName } from '../../values/kinds/kind.ts'
import type { Members } from '../../values/members.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { decimalWords } from '../parts/value-text.ts'

/** A column of the file, its field, and its cells in the first rows. */
export interface MatchedColumn extends FileColumn {
  /** The kind of its field; undefined if it is ignored. */
  readonly kind: KindName | undefined
  readonly cells: readonly { readonly cell: string; readonly fault?: Reason }[]
}

export interface MatchingForm {
  readonly upload: Upload
  readonly resource: Resource
  readonly matching: Matching | undefined
  readonly columns: readonly MatchedColumn[]
  readonly fields: readonly string[]
  readonly found: FoundInFile
  /** The sheets of a workbook that has several. */
  readonly sheets: readonly string[]
  readonly addresses: Addresses
}

/** Matches columns to fields, asks what the file does not decide, and shows the first rows as they would be read. */
export function matchingForm(form: MatchingForm): Markup | undefined {
  const { upload, resource, matching, columns, found, addresses } = form
  if (matching === undefined) return undefined
  const name = say('Match the columns')
  const rows = table({
    id: 'columns-title',
    columns: [
      { head: say('In the file'), cell: ({ heading, id }) => headingMarkup(heading, id) },
      { head: say('Field'), cell: (column) => [fieldChoice(column, form), readingChoices(column, found.asked)] },
      { head: say('First rows'), cell: ({ field, cells }) => firstCells(cells, field === null) },
    ],
    rows: columns.map((column, at) => ({ ...column, id: `column-${at + 1}` })),
  })
  const about = say('Match each column to a field. The preview shows the first rows.')
  const questions = found.asked.length > 0 && html`<p class="notice" role="alert">${questionText(found.asked)}</p>\n`
  const content = html`<p class="quiet">${about}</p>
${questions}${missingNotice(resource, matching)}${advice(resource, matching)}${rows}
<div class="reading">${reading(matching, form.sheets)}</div>
${options(resource, matching)}
<p class="send"><button type="submit">${say('Check all rows')}</button></p>`
  const action = addresses.import(upload.id, 'matchings')
  return html`<form class="matching" method="post" action="${action}" aria-label="${name}">
${panel('columns', name, content)}</form>
`
}

function questionText(asked: readonly AskedReading[]): Hole {
  const { length: count } = asked.filter(({ about }) => about !== 'sheet')
  const sheet = asked.some(({ about }) => about === 'sheet') && say('Several sheets have a table. Choose one below.')
  const columns = count > 0 && say('{count} columns can be read in more than one way. Choose the right one.', { count })
  return html`${sheet} ${columns}`
}

const headingMarkup = (heading: string, id: string): Markup => html`<span id="${id}-heading" lang="">${heading}</span>`

/** Of more fields a column is offered those that no other column has: the choices of all would make a page of megabytes. */
const MOST_OFFERED = 60

type ShownColumn = MatchedColumn & { readonly id: string }

function fieldChoice(column: ShownColumn, { columns, fields, resource: { kinds } }: MatchingForm): Markup {
  const { heading, field, id } = column
  const taken = new Set(fields.length > MOST_OFFERED ? columns.map((each) => each.field) : [])
  const options = fields
    .filter((each) => each === field || !taken.has(each))
    .map((each) => option(each, fieldTitle(each, kinds[each]), each === field))
  return html`<select name="field:${heading}" aria-labelledby="${id}-heading">
<option value="">${say('Ignore this column')}</option>${options}</select>`
}

/** How the cells of a column are read, where its field leaves a choice. */
function readingChoices(
  { heading, kind, reading, id }: ShownColumn,
  asked: readonly AskedReading[],
): readonly Markup[] {
  const questions = asked.filter(({ column }) => column === heading)
  const abouts: readonly AskedAbout[] = [
    ...(kind === 'amount' ? (['decimal'] as const) : []),
    ...(kind === 'date' || kind === 'instant' ? (['dates'] as const) : []),
    ...(['currency', 'unit'] as const).filter(
      (about) => reading?.[about] !== undefined || questions.some((each) => each.about === about),
    ),
  ]
  return abouts.map((about) => {
    const question = questions.find((each) => each.about === about)
    const chosen = reading?.[about]
    const usual: readonly (string | number)[] = question?.choices ?? usualChoices[about]
    const choices = chosen === undefined || usual.includes(chosen) ? usual : [chosen, ...usual]
    const none = option('', say('Choose'), chosen === undefined)
    const shown = choices.map((each) => option(String(each), choiceText(about, each), each === chosen))
    const isAsked = question !== undefined && html` required`
    const label = html`<span id="${id}-${about}">${aboutText(about)}</span>`
    const select = html`<select name="${about}:${heading}" aria-labelledby="${id}-heading ${id}-${about}"${isAsked}>${none}${shown}</select>`
    return html`<span class="choice">${label} ${select}</span>`
  })
}

const usualChoices = { decimal: [',', '.'], dates: ['dmy', 'mdy'], currency: [], unit: [1000, 1] } as const

function aboutText(about: AskedAbout): Text {
  switch (about) {
    case 'decimal':
      return say('Amounts are written')
    case 'dates':
      return say('Dates are written')
    case 'currency':
      return say('Currency')
    case 'unit':
      return say('1 in the file is')
  }
}

/** By an example, which everybody recognises. */
function choiceText(about: AskedAbout, choice: string | number): Words {
  if (typeof choice === 'number') return decimalWords(String(choice))
  if (about === 'currency') return choice
  return examples[choice] ?? choice
}

const examples: { readonly [choice: string]: string } = {
  ',': '1.234,50',
  '.': '1,234.50',
  dmy: '31.12.2026',
  mdy: '12/31/2026',
}

function firstCells(cells: MatchedColumn['cells'], isIgnored: boolean): Markup {
  const entries = cells.map(({ cell, fault }) => {
    const shown = cell === '' ? html`<span class="quiet">${say('empty')}</span>` : html`<span lang="">${cell}</span>`
    return html`<li>${shown}${fault !== undefined && html`<span class="fault">${told(fault)}</span>`}</li>`
  })
  return html`<ul class="cells${isIgnored && ' ignored'}">${entries}</ul>`
}

/** Where the table is in the file, and the format of a text. */
const reading = (
  { delimiter, encoding, format, sheet, headerAt }: Matching,
  sheets: readonly string[],
): readonly Hole[] => [
  ...(sheets.length < 2
    ? []
    : [
        choice(
          'sheet',
          say('Sheet'),
          sheets.map((each) => option(each, each, each === sheet, html` lang=""`)),
        ),
      ]),
  html`<p class="field"><label for="headings">${say('Row of the headings')}</label><input id="headings" name="headings" inputmode="numeric" pattern="[0-9]{1,7}" value="${String(headerAt)}" size="6"></p>
`,
  ...(format === 'xlsx' ? [] : textReading(delimiter, encoding)),
]

const textReading = (delimiter: string, encoding: Matching['encoding']): readonly Hole[] => [
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
]

/** What happens with unknown customers and unreadable cells. */
function options({ references }: Resource, { create, badCells }: Matching): Markup {
  const box = (name: string, value: string, isOn: boolean, text: Text): Markup =>
    html`<p><label><input type="checkbox" name="${name}" value="${value}"${isOn && html` checked`}> ${text}</label></p>\n`
  return html`${references.length > 0 && box('create', 'missing', create !== undefined, say('Create customers that do not exist'))}${box('bad-cells', 'empty', badCells !== undefined, say('Leave cells empty that cannot be read'))}`
}

const choice = (name: string, title: Text, options: readonly Markup[]): Markup =>
  html`<p class="field"><label for="${name}">${title}</label><select id="${name}" name="${name}">${options}</select></p>
`

const option = (value: string, text: Words, isChosen: boolean, more?: Markup): Markup =>
  html`<option value="${value}"${more}${isChosen && html` selected`}>${text}</option>`

function missingNotice(resource: Resource, matching: Matching): Markup | undefined {
  const missing = missingFields(resource, matching)
  if (missing.length === 0) return undefined
  const fields = anyOfText(missing.map((field) => fieldTitle(field, resource.kinds[field])))
  const text = say('Choose the column that holds: {fields}.', { fields })
  return html`<p class="notice" role="alert">${text}</p>\n`
}

/** The fields without which a row creates nothing; none if rows name existing things. */
function missingFields({ name, create }: Resource, matching: Matching): readonly string[] {
  const has = new Set([...fieldsIn(matching), ...Object.keys(matching.defaults ?? {})])
  if (has.has('id') && name !== customer.name) return []
  return Object.entries(create as Members).flatMap(([field, { required }]) =>
    required && !has.has(field) ? [field] : [],
  )
}

const fieldsIn = ({ columns }: Matching): ReadonlySet<string | null> => new Set(columns.map(({ field }) => field))

/** Explains what happens if the file is imported twice. */
function advice({ name }: Resource, matching: Matching): Markup | undefined {
  const has = fieldsIn(matching)
  if (has.has('id') || has.has('reference')) return undefined
  return html`<p class="quiet">${
    name === customer.name
      ? say('No column is the id, so each row becomes a new customer. Importing it twice makes duplicates.')
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
