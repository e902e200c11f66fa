import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { stages, statuses } from '../../model/deal/deal.ts'
import type { Resource } from '../../model/schema.ts'
import { ME } from '../../model/user/user.ts'
import { collectionOf } from '../../queries/collections.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { LONGEST_SEARCH } from '../../queries/like-pattern.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { pageNames, spellingsOf } from '../../queries/settings.ts'
import type { FormField } from '../../representations/document.ts'
import { landing } from '../../representations/html/layout.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { withQuery } from '../../values/address.ts'
import { mayDo } from '../../values/role.ts'
import { emptyList, type FilterBar, filterBar } from '../filters/filter-bar.ts'
import { columnMenu } from '../list/columns.ts'
import { exportMenu, isPartOf } from '../list/exports.ts'
import type { SavedViews } from '../list/saved-views.ts'
import { selectable } from '../list/selection.ts'
import { type FixedTab, filtersOfTab, tabBar } from '../list/tabs.ts'
import type { Totals } from '../list/totals.ts'
import { viewForms } from '../list/view-forms.ts'
import { newLink } from '../page-forms/framed-form.ts'
import { money } from '../parts/money.ts'
import type { ShownDeal } from '../parts/shown.ts'
import type { Addresses, ShownList, Visit } from '../parts/visit.ts'
import { columnText, dealColumnNames, usualColumns } from './deal-columns.ts'
import { dealTable } from './deal-table.ts'

export interface DealsPage extends Pick<ShownList, 'parameters' | 'links' | 'hasMore' | 'fields' | 'order'> {
  readonly resource: Resource
  readonly deals: readonly ShownDeal[]
  /** The names of the deals' customers. */
  readonly customers: ReadonlyMap<number, string>
  /** Of the whole list; not known of a search with more results than a page. */
  readonly totals: Totals | undefined
  readonly saved: SavedViews
  /** Where one is created; nothing for callers who may not. */
  readonly creation: string | undefined
  readonly now: string
  readonly addresses: Addresses
  readonly role: Visit['role']
  /** Whether the caller is a user, who may have deals of their own. */
  readonly isUser: boolean
}

const tabs = (isUser: boolean): readonly FixedTab[] => [
  { name: say('Open|deals'), query: 'status=open' },
  ...(isUser ? [{ name: say('Mine'), query: `owner=${ME}&status=open` }] : []),
  { name: say('Won'), query: 'status=completed' },
  { name: say('Lost'), query: 'status=cancelled' },
  { name: say('All|deals'), query: '' },
  { name: say('Deleted|deals'), query: 'deleted=true' },
]

/** Deals as a table. The address holds the filters, the order and the columns. */
export function dealsPage(page: DealsPage): Markup {
  const { resource, deals, addresses, parameters, totals, hasMore, links, fields, saved } = page
  const address = addresses.deals
  const isDeleted = parameters.some(({ name, value }) => name === 'deleted' && value === 'true')
  const list = {
    customers: page.customers,
    address,
    parameters,
    fields,
    order: page.order,
    mayChange: mayDo(page, resource.roles.writes),
  }
  const isPart = isPartOf(parameters, hasMore)
  const fixed = tabs(page.isUser)
  const ofTab = filtersOfTab({ fixed, parameters })
  const about = { collection: 'deals', path: resource.path, parameters, saved, addresses }
  return html`${dealsHead('table', page, page.creation === undefined ? undefined : newLink(page.creation, say('New deal')))}
${tabBar({ address, parameters, fixed, saved })}
${filterBar({ ...dealFilters(resource, address, addresses.filter('deals'), parameters), shownElsewhere: ofTab })}
<div class="tools">${columnMenu({ address, action: addresses.filter('deals'), parameters, shown: fields ?? usualColumns, all: dealColumnNames(resource), text: columnText })}${exportMenu({ address, parameters, shown: deals.length, count: totals?.count, isPart, order: page.order })}${viewForms(about)}</div>
<div${landing.list} data-live>
${
  deals.length === 0
    ? emptyList({
        none: say('No deals yet.'),
        noMatch: ofTab.length > 0 ? say('No deals here.') : say('No deals match.'),
        all: say('Show all deals'),
        address,
        parameters,
        next:
          page.creation === undefined
            ? undefined
            : html`<p><a class="button" href="${page.creation}">${say('Create the first deal')}</a></p>`,
      })
    : selectable(dealTable({ resource, deals, list, now: page.now, addresses, caption: captionOf(page) }), {
        resource,
        addresses,
        back: withQuery(resource.path, parameters),
        ofDeleted: isDeleted,
        role: page.role,
      })
}${pager(links)}</div>
`
}

/** How many deals there are, and what they are worth. */
function captionOf({ deals, totals, hasMore }: DealsPage): Markup {
  if (totals === undefined)
    return html`${say('{count} deals shown', { count: deals.length })}${hasMore && html`, ${say('more follow')}`}`
  const count =
    totals.count === deals.length
      ? say('{count} deals', { count: totals.count })
      : say('{shown} of {count} deals shown', { shown: deals.length, count: totals.count })
  return html`${count}${totals.sums.map(({ currency, sum }) => html` <span class="sum">${money(sum, currency)}</span>`)}`
}

const notShared = pageNames.union(spellingsOf('sort')).union(new Set(['status', 'stage']))

/** The head of table and board, with a switch between them that keeps the filters. */
export function dealsHead(
  view: 'table' | 'board',
  { addresses, parameters }: Pick<DealsPage, 'addresses' | 'parameters'>,
  creation: Markup | undefined,
): Markup {
  const shared = parameters.filter(({ name }) => !notShared.has(name))
  const link = (to: typeof view, address: string, text: Text): Markup =>
    html`<li><a href="${withQuery(address, to === view ? parameters : shared)}"${to === view && html` aria-current="true"`}>${text}</a></li>`
  return html`<header class="head" data-watch="all">
<div><h1>${say('Deals')}</h1></div>
<nav aria-label="${say('View')}"><ul class="switch">${link('board', addresses.board, say('Board'))}${link('table', addresses.deals, say('Table'))}</ul></nav>
${creation}</header>
`
}

const text = (maxLength: number) => ({ type: 'string', maxLength }) as const
const number = { type: 'number', minimum: 0 } as const
const date = { type: 'string', format: 'date' } as const

/** Other filters in the address are kept. */
const dealFilters = (
  resource: Resource,
  address: string,
  action: string,
  parameters: readonly Parameter[],
): FilterBar => ({
  collection: collectionOf(resource),
  address,
  action,
  parameters,
  fields: dealFields,
})

/** The fields that people filter deals by. */
const dealFields: readonly FormField[] = [
  { name: SEARCH, label: say('Search'), schema: text(LONGEST_SEARCH) },
  { name: 'status', label: say('Status'), schema: { type: 'string', enum: statuses } },
  { name: 'stage', label: say('Stage'), schema: { type: 'string', enum: stages } },
  { name: 'held', label: say('On hold'), schema: { type: 'boolean' } },
  { name: 'owner', label: say('Owner'), schema: text(200), namesUser: true },
  { name: 'price.gte', label: say('Price from'), schema: number },
  { name: 'price.lte', label: say('Price to'), schema: number },
  { name: 'completionDate.lte', label: say('Due until'), schema: date },
]

export const boardFilters = (...bar: Parameters<typeof dealFilters>): FilterBar => ({
  ...dealFilters(...bar),
  fields: boardFields,
})

/** The board shows open deals only, and its columns are the stages. */
const boardFields = dealFields.filter(({ name }) => name !== 'status' && name !== 'stage')
