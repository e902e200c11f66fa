import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/schema.ts'
import { ME } from '../../model/user/user.ts'
import { collectionOf } from '../../queries/collections.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { LONGEST_SEARCH } from '../../queries/like-pattern.ts'
import { settingNames } from '../../queries/settings.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { landing } from '../../representations/html/layout.ts'
import { type Hole, html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { withQuery } from '../../values/address.ts'
import { filterBar } from '../filters/filter-bar.ts'
import { exportMenu, isPartOf } from '../list/exports.ts'
import type { SavedViews } from '../list/saved-views.ts'
import { selectable } from '../list/selection.ts'
import { type FixedTab, filtersOfTab, tabBar } from '../list/tabs.ts'
import { viewForms } from '../list/view-forms.ts'
import type { ShownList, Visit } from '../parts/visit.ts'
import { byDue, periodOf, periods, periodTitles } from '../task-panel/due.ts'
import { quickAdd } from '../task-panel/panel.ts'
import { type TaskRows, taskRows, tickMarkup } from '../task-panel/rows.ts'

export interface TasksPage extends TaskRows, Pick<ShownList, 'parameters' | 'links' | 'hasMore' | 'total'> {
  readonly resource: Resource
  readonly creation: DocumentForm | undefined
  readonly saved: SavedViews
  readonly role: Visit['role']
  /** Whether the caller is a user, who may have tasks of their own. */
  readonly isUser: boolean
  /** Whether it is the list of all tasks, not of those about one thing. */
  readonly isWhole: boolean
  /** The list's address without a query. */
  readonly address: string
}

/** Tasks under the time when they are due. The address holds the filters. */
export function tasksPage(page: TasksPage): Markup {
  const { tasks, links, creation, isWhole } = page
  return html`<header class="head" data-watch="all"><div><h1>${say('Tasks')}</h1></div></header>
${isWhole && tabBar({ ...page, fixed: tabs(page.isUser) })}${creation && html`<section class="panel" aria-label="${say('Add a task')}">${quickAdd(creation)}</section>\n`}${isWhole && [filters(page), tools(page)]}
<div${landing.list} data-live tabindex="-1">
${tasks.length === 0 ? none(page) : html`<p class="quiet">${shownText(page)}</p>\n${tickMarkup(page)}${isWhole ? selected(page) : inPeriods(page)}`}${pager(links)}</div>
`
}

const tabs = (isUser: boolean): readonly FixedTab[] => [
  ...(isUser ? [{ name: say('Mine|tasks'), query: `assignee=${ME}&status=open&sort=dueOn` }] : []),
  { name: say('To do'), query: 'status=open&sort=dueOn' },
  { name: say('Done|tasks'), query: 'status=done&sort=-updatedAt' },
  { name: say('All|tasks'), query: 'sort=dueOn' },
]

const tools = ({ resource, address, addresses, parameters, tasks, total, hasMore, saved }: TasksPage): Markup =>
  html`<div class="tools">${exportMenu({ address, parameters, shown: tasks.length, count: total, isPart: isPartOf(parameters, hasMore) })}${viewForms({ collection: 'tasks', path: resource.path, parameters, saved, addresses })}</div>`

function shownText({ tasks, total, hasMore }: TasksPage): Hole {
  if (total === tasks.length) return say('{count} tasks', { count: total })
  if (total !== undefined) return say('{shown} of {count} tasks shown', { shown: tasks.length, count: total })
  return [say('{count} tasks shown', { count: tasks.length }), hasMore && [', ', say('more follow')]]
}

const selected = (page: TasksPage): Markup =>
  selectable(inPeriods({ ...page, isSelectable: page.ticks !== undefined }), {
    resource: page.resource,
    addresses: page.addresses,
    back: withQuery(page.resource.path, page.parameters),
    ofDeleted: false,
    role: page.role,
  })

function inPeriods(page: TasksPage): Markup {
  const groups = Map.groupBy(page.tasks, (each) => periodOf(each, page))
  return html`${periods.map((period) => {
    const inPeriod = groups.get(period)
    return (
      inPeriod &&
      html`<section class="panel ${period}" aria-labelledby="${period}"><h2 id="${period}">${periodTitles[period]} <span class="quiet">${inPeriod.length}</span></h2>
${taskRows({ ...page, tasks: period === 'done' ? inPeriod : byDue(inPeriod, page) })}</section>
`
    )
  })}`
}

const filters = ({ resource, address, addresses, parameters, isUser }: TasksPage): Markup =>
  filterBar({
    collection: collectionOf(resource),
    address,
    action: addresses.filter('tasks'),
    parameters,
    shownElsewhere: filtersOfTab({ fixed: tabs(isUser), parameters }),
    fields: filterFields,
  })

const filterFields: readonly FormField[] = [
  { name: SEARCH, label: say('Search'), schema: { type: 'string', maxLength: LONGEST_SEARCH } },
  { name: 'assignee', label: say('Who'), schema: { type: 'string', maxLength: 200 }, namesUser: true },
  { name: 'dueOn.lte', label: say('Due until'), schema: { type: 'string', format: 'date' } },
]

/** The tabs of a list are no filters that somebody set. */
const ofTabs = new Set(['status', 'assignee', ...settingNames])

function none({ parameters, address }: TasksPage): Markup {
  if (parameters.every(({ name }) => ofTabs.has(name)))
    return html`<p class="empty">${say('Nothing here: all is done.')}</p>\n`
  return html`<div class="empty"><p>${say('No tasks match.')}</p><p><a class="button plain" href="${address}?status=open&amp;sort=dueOn">${say('Show all tasks')}</a></p></div>\n`
}
