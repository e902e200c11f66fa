import type { Addresses } from '../../http/contract/addresses.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { mayEver } from '../../model/intent/caller.ts'
import { collectionOf } from '../../queries/collections.ts'
import { settingNamed } from '../../queries/settings.ts'
import { hiddenFields } from '../../representations/html/form.ts'
import { label } from '../../representations/html/label.ts'
import { landing } from '../../representations/html/layout.ts'
import { pager } from '../../representations/html/table.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { emptyList, filterBar, nextStep } from '../filters/filter-bar.ts'
import { newLink } from '../forms/framed-form.ts'
import { money } from '../parts/money.ts'
import type { Names } from '../parts/names.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import type { Screen } from '../parts/screen.ts'
import type { SeenThing } from '../parts/shown.ts'
import { columnMenu } from './column-menu.ts'
import { columnNames, columnText, usualColumns } from './columns.ts'
import { exportMenu, isPartOf } from './exports.ts'
import { filterFields } from './filter-fields.ts'
import { type FixedTab, isArranged, type ListScreen, listTexts, type WriteCell, type WriteRows } from './list-screen.ts'
import type { SavedViews } from './saved-views.ts'
import { bulkOperations, selectable } from './selection.ts'
import { filtersOfTab, tabBar } from './tabs.ts'
import { thingTable } from './thing-table.ts'
import type { Totals } from './totals.ts'
import { viewForms } from './view-forms.ts'

export interface ThingsPage extends Omit<ShownList, 'items' | 'filter' | 'total'> {
  readonly resource: Resource
  readonly screen: ListScreen
  readonly things: readonly SeenThing[]
  readonly names: Names
  /** The things that its filters name. */
  readonly filterNames: Names
  /** Of the whole list; unknown for a search with more results than a page. */
  readonly totals: Totals | undefined
  readonly saved: SavedViews
  readonly about: Hole
  /** The address for a new one; undefined for callers who may not create one. */
  readonly creation: string | undefined
  readonly above: Screen | undefined
  readonly marks: ((thing: SeenThing) => Markup | undefined) | undefined
  readonly added: readonly WriteCell[] | undefined
  /** The fields that count only if they are filled, and are not. */
  readonly unfilled: readonly string[]
  readonly rows: WriteRows | undefined
  /** The common subject: then the list can neither be filtered nor extended. */
  readonly of: { readonly href: string; readonly name: string } | undefined
  readonly address: string
  readonly now: string
  readonly addresses: Addresses
  readonly role: Call['role']
  /** The roles that admins made, of a caller who has one. */
  readonly own: readonly string[] | undefined
  readonly isUser: boolean
}

/** The list of a resource. The address holds the filters, the order and the columns. */
export function listPage(page: ThingsPage): Markup {
  const { resource, screen, things, of, about, above, links } = page
  const head = pageHead({
    ...(of && { crumbs: crumb(of.href, of.name) }),
    title: say(label(resource.plural)),
    about,
    beside: [screen.beside?.(page.parameters, page.addresses), newThing(page)],
    watch: 'all',
  })
  const controls = of === undefined && html`<div class="views">${tabs(page)}${filters(page)}</div>\n`
  return html`${head}${controls}${above?.()}
<div${landing.list} data-live tabindex="-1">
${things.length === 0 ? nothing(page) : shownThings(page)}${pager(links)}</div>
`
}

const newThing = ({ resource, creation }: ThingsPage): Markup | undefined =>
  creation === undefined ? undefined : newLink(creation, say(listTexts(resource).new))

const fixedTabs = ({ screen, isUser }: ThingsPage): readonly FixedTab[] =>
  screen.tabs?.(isUser) ?? [{ name: say('All'), query: '' }]

const tabs = (page: ThingsPage): Markup | undefined => tabBar({ ...page, fixed: fixedTabs(page) })

const filters = (page: ThingsPage): Markup =>
  filterBar({
    collection: collectionOf(page.resource),
    address: page.address,
    action: page.addresses.filter(page.resource.plural),
    parameters: page.parameters,
    shownElsewhere: filtersOfTab({ fixed: fixedTabs(page), parameters: page.parameters }),
    fields: filterFields(page.resource)(page.screen, page.addresses, unusedFields(page)),
    names: page.filterNames,
    beside: tools(page),
  })

/** The fields that no thing has a value for, unless they are filtered by. */
const unusedFields = ({ unfilled, parameters }: ThingsPage): readonly string[] =>
  unfilled.filter((field) => !parameters.some(({ name }) => name.split('.', 1)[0] === field))

function tools(page: ThingsPage): Markup {
  const { resource, screen, things, totals, address, addresses, parameters, hasMore, order, saved, fields, rows } = page
  const shown = (fields ?? usualColumns(resource, screen)).filter((field) => columnNames(resource).includes(field))
  const text = (field: string) => columnText(resource, screen, field)
  const action = addresses.filter(resource.plural)
  const isPart = isPartOf(parameters, hasMore)
  const hasColumns = rows === undefined || resource.added.length > 0
  const columns = hasColumns && columnMenu({ address, action, parameters, shown, all: columnNames(resource), text })
  const exported = exportMenu({ address, parameters, shown: things.length, count: totals?.count, isPart, order })
  const views = viewForms({ collection: resource.plural, path: resource.path, parameters, saved, addresses })
  return html`<div class="tools">${columns}${exported}${views}</div>`
}

/** Explains why the list is empty, and what to do about it. */
function nothing(page: ThingsPage): Markup {
  const { resource, screen, creation, address, parameters } = page
  const texts = listTexts(resource)
  const fixed = fixedTabs(page)
  const isOfTab = filtersOfTab({ fixed, parameters }).length > 0
  // The first tab is that of new things.
  const isOfFirst = filtersOfTab({ fixed: fixed.slice(0, 1), parameters }).length > 0
  return emptyList({
    none: say(texts.none),
    noMatch: isOfTab ? (screen.nothing ?? say('Nothing here.')) : say(texts.noMatch),
    all: say(texts.all),
    address,
    parameters,
    next: nextStep(creation, say(texts.first)),
    instead: isOfFirst ? nextStep(creation, say(texts.new)) : undefined,
  })
}

function shownThings(page: ThingsPage): Markup {
  const { resource, address, addresses, parameters, order, role, rows, of } = page
  const mayChange = mayEver(page, resource) && of === undefined
  const ofDeleted = parameters.some(({ name, value }) => name === 'deleted' && value === 'true')
  const back = withQuery(resource.path, parameters)
  const selection = { resource, addresses, back, ofDeleted, role, own: page.own }
  const selected = (shown: Markup): Markup => selectable(shown, selection)
  if (rows) return html`<p class="quiet">${captionOf(page)}</p>\n${rows(mayChange ? selected : undefined)}`
  const moves = mayChange && isArranged(resource) && !parameters.some(({ name }) => settingNamed(name) === 'sort')
  const sorted = { address, parameters, order }
  const operations = mayChange ? bulkOperations(selection) : undefined
  const table = thingTable({ ...page, caption: captionOf(page), sorted, operations, moves })
  return html`${mayChange ? selected(table) : table}${moves && orderForm(addresses.order(resource.plural), back)}`
}

/** The form data of the buttons that move an entry. */
const orderForm = (action: string, back: string): Markup =>
  html`<form id="order" method="post" action="${action}" data-here>${hiddenFields({ _return: back })}</form>\n`

/** The number of things, and their worth. */
function captionOf({ resource, things, totals, hasMore }: ThingsPage): Markup {
  const texts = listTexts(resource)
  const shown = things.length
  if (totals === undefined)
    return html`${say(texts.shown, { count: shown })}${hasMore && html`, ${say('more follow')}`}`
  const { count, sums } = totals
  const counted = count === shown ? say(texts.count, { count }) : say(texts.part, { shown, count })
  return html`${counted}${sums.map(({ currency, sum }) => html` <span class="sum">${money(sum, currency)}</span>`)}`
}
