import { say } from '../../languages/say.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { pageNames, pagingNames, spellingsOf } from '../../queries/settings.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
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

const asShown = ['csv', 'xlsx'] as const
const forPrograms = [...asShown, 'ndjson'] as const

const names = { csv: say('CSV'), xlsx: say('Excel'), ndjson: say('NDJSON') }

const sizes = spellingsOf('maxpagesize')

/** The list as files: the shown rows and all of them as the page has them, and all of them for programs. */
export function exportMenu({ address, parameters, shown, count, isPart, order }: Exports): Markup {
  const ordered = order === undefined ? [] : [{ raw: `sort=${order}` }]
  const all = [...parameters.filter(({ name }) => !pagingNames.has(name)), ...ordered]
  // A paging parameter makes it a page.
  const page = parameters.some(({ name }) => sizes.has(name))
    ? [...parameters, ...ordered]
    : [...parameters, ...ordered, { raw: 'maxpagesize=50' }]
  const links = (formats: typeof asShown | typeof forPrograms, asked: readonly { readonly raw: string }[]): Markup => {
    const query = withQuery('', asked)
    return html`<ul>${formats.map(
      (format) => html`<li><a href="${address}.${format}${query}" download>${names[format]}</a></li>`,
    )}</ul>`
  }
  const everything = count === undefined ? say('All that match') : say('All {count} that match', { count })
  const shownPage =
    isPart && html`<p>${say('The {count} rows shown here', { count: shown })}</p>${links(asShown, [...page, SHOWN])}`
  return html`<details class="drop"><summary class="button plain" data-icon="export">${say('Export')}</summary>
<div class="drop-panel exports">${shownPage}<p>${everything}</p>${links(asShown, [...all, SHOWN])}<p>${say('All, with the names of the API')}</p>${links(forPrograms, all)}</div></details>
`
}

/** As the page has it, in the reader's language and region. */
const SHOWN = { raw: 'shown=true' }

/** Whether the list is one page of several. */
export const isPartOf = (parameters: readonly Parameter[], hasMore: boolean): boolean =>
  hasMore || parameters.some(({ name }) => pageNames.has(name))
