import { say } from '../../languages/say.ts'
import type { Text, Words } from '../../languages/text.ts'
import { type Parameter, readQueryString } from '../../queries/query-string.ts'
import { placeNames, settingNamed, settingNames } from '../../queries/settings.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { memoize } from '../../values/memoize.ts'
import { personName } from '../parts/person.ts'
import { type FixedTab, listOrders } from './list-screen.ts'
import type { SavedViews, ShownView } from './saved-views.ts'

export interface Tabs {
  readonly address: string
  readonly parameters: readonly Parameter[]
  readonly fixed: readonly FixedTab[]
  readonly saved: SavedViews
}

/** The tabs of a collection: the fixed ones, then the saved views. The current one is marked; a single one is no choice. */
export function tabBar({ address, parameters, fixed, saved }: Tabs): Markup | undefined {
  if (fixed.length + saved.views.length < 2) return undefined
  const current = currentView(saved, parameters)
  const currentFixed = current === undefined ? fixedTab(fixed, parameters) : undefined
  const tab = (name: Words, query: string, isCurrent: boolean, about?: Text): Markup =>
    html`<li><a href="${withQuery(address, parametersIn(query))}"${isCurrent && html` aria-current="page"`}${
      about !== undefined && html` title="${about}"`
    }>${name}</a></li>`
  return html`<nav class="tabs" aria-label="${say('Lists')}"><ul>${fixed.map((each) =>
    tab(each.name, each.query, each === currentFixed),
  )}${saved.views.map((view) => tab(view.name, view.query, view === current, sharing(view)))}</ul></nav>
`
}

/** The tab with the same filters, in any order and with any columns. */
function fixedTab(fixed: readonly FixedTab[], parameters: readonly Parameter[]): FixedTab | undefined {
  const filters = keyOf(parameters.filter(isFilter))
  return fixed.find(({ query }) => keyOf(parametersIn(query).filter(isFilter)) === filters)
}

/** The names of the current tab's filters. */
export const filtersOfTab = ({ fixed, parameters }: Pick<Tabs, 'fixed' | 'parameters'>): readonly string[] =>
  parametersIn(fixedTab(fixed, parameters)?.query ?? '').map(({ name }) => name)

/** The saved view that the address shows: the same filters, order and columns. */
export function currentView({ views }: SavedViews, parameters: readonly Parameter[]): ShownView | undefined {
  const shown = keyOf(parameters)
  return views.find(({ query }) => keyOf(parametersIn(query)) === shown)
}

/** The queries of tabs are the same on every page. */
const parametersIn = memoize((query) => readQueryString(query).parameters)

const isFilter = ({ name }: Parameter): boolean => !settingNames.has(name)

const usualOrders: ReadonlySet<string | undefined> = new Set(Object.values(listOrders))

/** The same for all queries that differ only in the order of their parameters, or in the position in the list. */
const keyOf = (parameters: readonly Parameter[]): string =>
  parameters
    .filter(({ name, value }) => !placeNames.has(name) && !(settingNamed(name) === 'sort' && usualOrders.has(value)))
    .map(({ name, value }) => `${name}=${value}`)
    .toSorted()
    .join('&')

function sharing({ shared, isOwn, owner }: ShownView): Text | undefined {
  if (!shared) return undefined
  return isOwn || owner === null ? say('Shared with everybody') : say('Shared by {who}', { who: personName(owner) })
}
