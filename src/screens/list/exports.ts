import { say } from '../../languages/say.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { pageNames, pagingNames, spellingsOf } from '../../queries/settings.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { withQuery } from '../../values/address.ts'

export interface Exports {
  readonly address: string
  readonly parameters: readonly Parameter[]
  /** The number of shown rows. */
  readonly shown: number
  /** The number of all rows, if it is known. */
  readonly count: number | undefined
  /** Whether the list has more pages than this one. */
  readonly isPart: boolean
  /** The order if the address names none. */
  readonly order?: string | undefined
}

// NDJSON is for programs, so it is offered only for the full result.
const ofPage = ['csv', 'xlsx'] as const
const ofAll = [...ofPage, 'ndjson'] as const

const names = { csv: say('CSV'), xlsx: say('Excel'), ndjson: say('NDJSON') }

const sizes = spellingsOf('maxpagesize')

/** The list as files: the shown rows, and all of them. */
export function exportMenu({ address, parameters, shown, count, isPart, order }: Exports): Markup {
  const ordered = order === undefined ? [] : [{ raw: `sort=${order}` }]
  const all = [...parameters.filter(({ name }) => !pagingNames.has(name)), ...ordered]
  // A paging parameter makes it a page.
  const page = parameters.some(({ name }) => sizes.has(name))
    ? [...parameters, ...ordered]
    : [...parameters, ...ordered, { raw: 'maxpagesize=50' }]
  const links = (formats: typeof ofAll | typeof ofPage, parameters: readonly { readonly raw: string }[]): Markup => {
    const query = withQuery('', parameters)
    return html`<ul>${formats.map(
      (format) => html`<li><a href="${address}.${format}${query}" download>${names[format]}</a></li>`,
    )}</ul>`
  }
  const everything = count === undefined ? say('All that match') : say('All {count} that match', { count })
  return html`<details class="drop"><summary class="button plain">${say('Export')}</summary>
<div class="drop-panel exports">${
    isPart && html`<p>${say('The {count} rows shown here', { count: shown })}</p>${links(ofPage, page)}`
  }<p>${everything}</p>${links(ofAll, all)}</div></details>
`
}

/** Whether the list is one page of several. */
export const isPartOf = (parameters: readonly Parameter[], hasMore: boolean): boolean =>
  hasMore || parameters.some(({ name }) => pageNames.has(name))
