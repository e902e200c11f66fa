import type { Addresses } from '../../http/contract/addresses.ts'
import { type ColumnFault, headingsOf } from '../../imports/read/column-faults.ts'
import type { Matching } from '../../imports/read/matching.ts'
import type { Rejection } from '../../imports/read/read-waves.ts'
import type { FoundInFile } from '../../imports/uploads/found.ts'
import { numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { Upload } from '../../model/nouns/imports/upload.ts'
import { fieldTitle } from '../../representations/html/field-title.ts'
import { phrase } from '../../representations/html/phrase.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { memberAt } from '../../values/members.ts'
import { panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'
import { faultMarkup, faultsMarkup } from '../problem/why.ts'

interface Rejected {
  readonly upload: Upload
  readonly resource: Resource
  readonly matching: Matching | undefined
  readonly found: FoundInFile
  readonly rejections: readonly Rejection[]
  readonly addresses: Addresses
}

/** Why rows were rejected, by column, and the first of them; and the cells that were left empty. */
export function rejectedPanel(page: Rejected): Markup {
  const { faults } = page.found
  const emptied = faults.filter((each) => each.emptied)
  const left = emptied.length > 0 && panel('emptied', say('Cells left empty'), groupList(emptied, page))
  return html`${rejections(
    page,
    faults.filter((each) => !each.emptied),
  )}${left}`
}

const groupList = (groups: readonly ColumnFault[], page: Rejected): Markup =>
  html`<ul>${groups.map((each) => groupEntry(each, page))}</ul>\n`

function rejections(page: Rejected, faults: readonly ColumnFault[]): Markup | undefined {
  const { upload, resource, rejections, addresses, matching } = page
  const { rejected, id } = upload
  if (rejected === 0) return undefined
  const inFile = headingsOf(matching?.columns ?? [])
  const rows = table({
    id: 'rejected-title',
    columns: [
      { head: say('Line'), kind: 'number', cell: ({ line }: Rejection) => numberText(line) },
      { head: say('Why'), cell: ({ faults }) => faultsMarkup(faults, resource.kinds, inFile) },
      { head: say('Row'), kind: 'wide', cell: ({ row }) => html`<code>${shortened(row)}</code>` },
    ],
    rows: rejections,
  })
  const count = rejected - rejections.length
  const more = html`<p class="quiet">${say('And {count} more, all of them in the file.', { count })}</p>\n`
  const about = say('The file has your columns and why each row was rejected. Correct it and upload it again.')
  const part = `rejected.${matching?.format === 'xlsx' ? 'xlsx' : 'csv'}`
  const file = html`<p><a class="button plain" href="${addresses.import(id, part)}" download>${say('Download the rejected rows')}</a></p>
<p class="quiet">${about}</p>\n`
  const content = html`${groupList(faults, page)}${creating(page)}${matching !== undefined && file}
<details><summary>${say('The first rows')}</summary>
${rows}${count > 0 && more}</details>`
  return panel('rejected', say('{count} rows rejected', { count: rejected }), content)
}

/** Names that nothing has need not be corrected: the import can create what they name. */
function creating({ upload, found, matching }: Rejected): Markup | false {
  const isOpen = upload.stage === 'ready' && matching !== undefined && matching.create === undefined
  if (!isOpen || !found.faults.some(({ code }) => code === 'not-found')) return false
  const text = say('What was not found can be created: choose that under “Change how the file is read”.')
  return html`<p class="quiet">${text}</p>\n`
}

/** How many rows have a fault in a column, and what is wrong, as a sentence. */
function groupEntry({ column, count, code, example }: ColumnFault, page: Rejected): Markup {
  const { kinds } = page.resource
  const { rejections, matching } = page
  const matched = matching?.columns.find(({ heading, field }) => heading === column && field !== null)
  // A field that no column has stands in the place of a heading.
  const field = matched?.field ?? column ?? ''
  const isMissing = matching !== undefined && matched === undefined
  const title = isMissing ? fieldTitle(field, kinds[field]) : html`<span lang="">${column ?? ''}</span>`
  const rows = html`<b>${say('{count} rows', { count })}</b>`
  const isSame = (fault: Fault): boolean => fault.code === code && memberAt(fault.at.pointer) === field
  const first = example ?? rejections.flatMap(({ faults }) => faults).find(isSame)
  const what = first === undefined ? '' : faultMarkup(first, kinds)
  if (column === null) return html`<li>${phrase('{rows}: the row {what}', { rows, what })}</li>\n`
  const places = { rows, about: title, what }
  const sentence = hasSubject.test(code)
    ? phrase('{rows}: {about}: {what}', places)
    : phrase('{rows}: “{about}” {what}', places)
  return html`<li>${sentence}</li>\n`
}

/** The sentences of these codes have a subject of their own. */
const hasSubject = /^(?:not-found|several-found|not-allowed|closing|(?:deal|task)-.*)$/

const LONGEST_SHOWN = 120
const shortened = (row: string): string => {
  const shown = row.toWellFormed()
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown
}
