import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { ME } from '../../model/nouns/user/user.ts'
import { type Parameter, readQueryString } from '../../queries/query-string.ts'
import { settingNamed, settingNames } from '../../queries/settings.ts'
import type { Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { type FixedTab, listScreen } from '../list/list-screen.ts'
import type { SavedViews } from '../list/saved-views.ts'
import { dueCell, statusMarks } from '../parts/marks.ts'
import { type Choice, choices } from '../parts/page-head.ts'
import { readDeal, type ShownDeal } from '../parts/shown.ts'
import { newIn } from '../stages/asked-pipeline.ts'
import { stageMark } from '../stages/stages.ts'
import { readStale } from './stale.ts'

const filters = ['status', 'pipeline', 'stage', 'held', 'owner', 'price.gte', 'price.lte', 'completionDate.lte']

export const dealList = listScreen<ShownDeal>({
  columns: ['customerId', 'price', 'stage', 'status', 'completionDate', 'owner', 'updatedAt'],
  narrow: ['price', 'stage'],
  heads: { name: say('Deal') },
  cells: {
    stage: (deal, { resource, reader }) => stageMark(deal, resource.schema).for(reader),
    status: (deal, { reader }) => statusMarks(deal).for(reader),
    completionDate: (deal, { today, reader }) => dueCell(deal, today)?.for(reader) ?? '',
  },
  filters,
  filterTexts: { held: say('On hold'), 'completionDate.lte': say('Due until') },
  tabs: (isUser) => [
    { name: say('Open|deals'), query: 'status=open' },
    ...(isUser ? [{ name: say('Mine'), query: `owner=${ME}&status=open` }] : []),
    { name: say('Won'), query: 'status=completed' },
    { name: say('Lost'), query: 'status=cancelled' },
    { name: say('All|deals'), query: '' },
    { name: say('Deleted|deals'), query: 'deleted=true' },
  ],
  given: ({ list, call }) => newIn(list.parameters, call.schema),
  sums: 'price',
  marks: ({ list, call, now }) => readStale(Iterator.from(list.items).map(readDeal), call.desk, now),
  beside: (parameters, addresses) => boardSwitch('table', parameters, addresses),
})

/** The board shows open deals only, has a switch between pipelines, and its columns are the stages. */
export const boardList = {
  ...dealList,
  filters: filters.filter((filter) => !['status', 'pipeline', 'stage'].includes(filter)),
}

/** The filter that the board adds to its own. */
export const OPEN = 'status=open'

/** The tabs of the board, which are those of the table as far as they are about open deals. They keep the pipeline. */
export const boardTabs = (isUser: boolean, parameters: readonly Parameter[]): readonly FixedTab[] => {
  const pipelines = parameters.filter(({ name }) => name === 'pipeline')
  const within = (...filters: readonly string[]) => [...filters, ...pipelines.map(({ raw }) => raw)].join('&')
  return [
    { name: say('All|deals'), query: within() },
    ...(isUser ? [{ name: say('Mine'), query: within(`owner=${ME}`) }] : []),
  ]
}

export const boardViews = ({ views, ...saved }: SavedViews): SavedViews => ({
  ...saved,
  views: views.flatMap((each) => {
    const { parameters } = readQueryString(each.query)
    if (!parameters.every(isOfOpen)) return []
    return [{ ...each, query: queryText(parameters.filter(isOnBoard)), whole: each.query }]
  }),
})

/** The board has its own order, no pages and no columns, and shows open deals only. */
const notOnBoard = settingNames.union(new Set(['status', 'deleted']))
const isOnBoard = ({ name }: Parameter): boolean => !notOnBoard.has(name)
const isOfOpen = ({ name, value }: Parameter): boolean =>
  name === 'status' ? value === 'open' : name === 'deleted' ? value === 'false' : settingNamed(name) !== 'group'

const queryText = (parameters: readonly Parameter[]): string => parameters.map(({ raw }) => raw).join('&')

/** The switch between table and board, which keeps the filters. */
export function boardSwitch(view: 'table' | 'board', parameters: readonly Parameter[], addresses: Addresses): Markup {
  const shared = parameters.filter(isOnBoard)
  const choice = (
    to: typeof view,
    address: string,
    query: readonly { readonly raw: string }[],
    text: Text,
  ): Choice => ({
    href: withQuery(address, to === view ? parameters : query),
    text,
    isCurrent: to === view,
  })
  return choices(say('View'), 'switch', [
    choice('board', addresses.board, shared, say('Board')),
    choice('table', addresses.deals, [{ raw: OPEN }, ...shared], say('Table')),
  ])
}
