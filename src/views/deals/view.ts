import { say } from '../../languages/say.ts'
import { stages, statuses } from '../../model/deal/deal.ts'
import { ME } from '../../model/user/user.ts'
import { collections } from '../../queries/collections.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { LONGEST_SEARCH } from '../../queries/like-pattern.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { pageNames, spellingsOf } from '../../queries/settings.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { withQuery } from '../../values/address.ts'
import { emptyList, type FilterBar, filterBar } from '../filters/filter-bar.ts'
import { newLink } from '../page-forms/framed-form.ts'
import { type DealTable, dealTable } from '../parts/deal-table.ts'
import type { PageLinks } from '../parts/visit.ts'

export interface DealsPage extends Omit<DealTable, 'caption' | 'list'> {
  /** The names of the deals' customers. */
  readonly customers: ReadonlyMap<number, string>
  readonly parameters: readonly Parameter[]
  /** Where one is created; nothing for callers who may not. */
  readonly creation: string | undefined
  readonly links: PageLinks
  readonly hasMore: boolean
  readonly total: number | undefined
  /** Whether the caller is a user, who may have deals of their own. */
  readonly isUser?: boolean
}

/** Deals as a table. The address holds the filters and the order. */
export function dealsPage(page: DealsPage): Markup {
  const { deals, customers, addresses, parameters, total, hasMore, links } = page
  const list = { customers, address: addresses.deals, parameters }
  const shown =
    total === undefined
      ? say('{count} deals shown', { count: deals.length })
      : say('{shown} of {count} deals shown', { shown: deals.length, count: total })
  return html`${dealsHead('table', page, page.creation === undefined ? undefined : newLink(page.creation, 'New deal'))}
${filterBar(dealFilters(addresses.deals, addresses.filter('deals'), parameters))}
<div id="list" data-live>
${
  deals.length === 0
    ? emptyList('deal', addresses.deals, parameters)
    : dealTable({ ...page, caption: `${shown}${hasMore ? ', more follow' : ''}`, list })
}${pager(links)}</div>
${!parameters.some(({ name }) => name === 'deleted') && html`<p class="quiet"><a href="${addresses.deals}?deleted=true">Deleted deals</a></p>`}
`
}

const notShared = pageNames.union(spellingsOf('sort')).union(new Set(['status', 'stage']))

/** The head of table and board, with a switch between them that keeps the filters. */
export function dealsHead(
  view: 'table' | 'board',
  { addresses, parameters, isUser }: Pick<DealsPage, 'addresses' | 'parameters' | 'isUser'>,
  creation: Markup | undefined,
): Markup {
  const isMine = parameters.some(({ name, value }) => name === 'owner' && value === ME)
  const mine = html`<li><a href="${addresses.deals}?owner=${ME}&amp;status=open"${isMine && html` aria-current="true"`}>My deals</a></li>`
  const shared = parameters.filter(({ name }) => !notShared.has(name))
  const link = (to: typeof view, address: string, text: string): Markup =>
    html`<li><a href="${withQuery(address, to === view ? parameters : shared)}"${to === view && html` aria-current="true"`}>${text}</a></li>`
  return html`<header class="head" data-watch="all">
<div><h1>Deals</h1></div>
<nav aria-label="View"><ul class="switch">${link('board', addresses.board, 'Board')}${link('table', addresses.deals, 'Table')}${isUser && mine}</ul></nav>
${creation}</header>
`
}

const text = (maxLength: number) => ({ type: 'string', maxLength }) as const
const number = { type: 'number', minimum: 0 } as const
const date = { type: 'string', format: 'date' } as const

/** The fields that people filter deals by. Other filters in the address are kept. */
export function dealFilters(address: string, action: string, parameters: readonly Parameter[]): FilterBar {
  return {
    collection: collections.deals,
    address,
    action,
    parameters,
    fields: [
      { name: SEARCH, label: 'Search', schema: text(LONGEST_SEARCH) },
      { name: 'status', label: 'Status', schema: { type: 'string', enum: statuses } },
      { name: 'stage', label: 'Stage', schema: { type: 'string', enum: stages } },
      { name: 'held', label: 'On hold', schema: { type: 'boolean' } },
      { name: 'owner', label: 'Owner', schema: text(200), namesUser: true },
      { name: 'price.gte', label: 'Price from', schema: number },
      { name: 'price.lte', label: 'Price to', schema: number },
      { name: 'completionDate.lte', label: 'Due until', schema: date },
    ],
  }
}

/** The board shows open deals only, and its columns are the stages. */
export const boardFilters = (address: string, action: string, parameters: readonly Parameter[]): FilterBar => {
  const bar = dealFilters(address, action, parameters)
  return { ...bar, fields: bar.fields.filter(({ name }) => !['status', 'stage'].includes(name)) }
}
