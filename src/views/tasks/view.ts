import { say } from '../../languages/say.ts'
import { ME } from '../../model/user/user.ts'
import { collectionNamed } from '../../queries/collections.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { LONGEST_SEARCH } from '../../queries/like-pattern.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { pageNames, settingNames, spellingsOf } from '../../queries/settings.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { withQuery } from '../../values/address.ts'
import { filterBar } from '../filters/filter-bar.ts'
import { byDue, periodOf, periods, periodTitle } from '../parts/tasks/due.ts'
import { quickAdd } from '../parts/tasks/panel.ts'
import { type TaskRows, taskRows } from '../parts/tasks/rows.ts'
import type { PageLinks } from '../parts/visit.ts'

export interface TasksPage extends TaskRows {
  readonly parameters: readonly Parameter[]
  readonly creation: DocumentForm | undefined
  readonly links: PageLinks
  readonly hasMore: boolean
  readonly total: number | undefined
  /** Whether the caller is a user, who may have tasks of their own. */
  readonly isUser: boolean
  /** Whether it is the list of all tasks, not of those about one thing. */
  readonly isWhole: boolean
  /** The list's address without a query. */
  readonly address: string
}

/** Tasks under the time when they are due. The address holds the filters. */
export function tasksPage(page: TasksPage): Markup {
  const { tasks, hasMore, total, links, creation } = page
  const shown =
    total === undefined
      ? say('{count} tasks shown', { count: tasks.length })
      : say('{shown} of {count} tasks shown', { shown: tasks.length, count: total })
  const groups = Map.groupBy(tasks, (task) => periodOf(task, page.today))
  return html`${head(page)}
${creation && html`<section class="panel" aria-label="${say('Add a task')}">${quickAdd(creation)}</section>\n`}${page.isWhole && filters(page)}
<div id="list" data-live tabindex="-1">
${
  tasks.length === 0
    ? none(page)
    : html`<p class="quiet">${shown}${hasMore && html`, ${say('more follow')}`}</p>
${periods.map((period) => {
  const inPeriod = groups.get(period)
  return (
    inPeriod &&
    html`<section class="panel ${period}" aria-labelledby="${period}"><h2 id="${period}">${periodTitle(period)} <span class="quiet">${inPeriod.length}</span></h2>
${taskRows({ ...page, tasks: period === 'done' ? inPeriod : byDue(inPeriod) })}</section>
`
  )
})}`
}${pager(links)}</div>
`
}

const filters = ({ address, addresses, parameters }: TasksPage): Markup =>
  filterBar({
    collection: collectionNamed('tasks'),
    address,
    action: addresses.filter('tasks'),
    parameters,
    fields: [
      { name: SEARCH, label: say('Search'), schema: { type: 'string', maxLength: LONGEST_SEARCH } },
      { name: 'assignee', label: say('Who'), schema: { type: 'string', maxLength: 200 }, namesUser: true },
      { name: 'dueOn.lte', label: say('Due until'), schema: { type: 'string', format: 'date' } },
    ],
  })

const sortNames = spellingsOf('sort')

function head({ parameters, isUser, address }: TasksPage): Markup {
  const has = (name: string, value: string): boolean =>
    parameters.some((each) => each.name === name && each.value === value)
  const without = (...names: readonly string[]) =>
    parameters.filter(({ name }) => !names.includes(name) && !sortNames.has(name) && !pageNames.has(name))
  const link = (text: string, rest: readonly Pick<Parameter, 'raw'>[], isCurrent: boolean): Markup =>
    html`<li><a href="${withQuery(address, rest)}"${isCurrent && html` aria-current="true"`}>${text}</a></li>`
  const order = { raw: has('status', 'done') ? 'sort=-createdAt' : 'sort=dueOn' }
  const isMine = has('assignee', ME)
  return html`<header class="head" data-watch="all"><div><h1>${say('Tasks')}</h1></div>
${
  isUser &&
  html`<nav aria-label="${say('Whose')}"><ul class="switch">${link(say('Mine'), [...without('assignee'), { raw: `assignee=${ME}` }, order], isMine)}${link(
    say('Everyone’s'),
    [...without('assignee'), order],
    !isMine,
  )}</ul></nav>
`
}<nav aria-label="${say('Status')}"><ul class="switch">${link(
    say('To do'),
    [...without('status'), { raw: 'status=open' }, { raw: 'sort=dueOn' }],
    has('status', 'open'),
  )}${link(say('Done'), [...without('status'), { raw: 'status=done' }, { raw: 'sort=-createdAt' }], has('status', 'done'))}</ul></nav></header>
`
}

/** The tabs of a list are no filters that somebody set. */
const ofTabs = new Set(['status', 'assignee', ...settingNames])

function none({ parameters, address }: TasksPage): Markup {
  if (parameters.every(({ name }) => ofTabs.has(name)))
    return html`<p class="empty">${say('Nothing here: all is done.')}</p>\n`
  return html`<p class="empty">${say('No task matches.')} <a href="${address}?status=open&amp;sort=dueOn">${say('All tasks')}</a></p>\n`
}
