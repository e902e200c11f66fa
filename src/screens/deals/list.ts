import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { ME } from '../../model/user/user.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { pageNames, spellingsOf } from '../../queries/settings.ts'
import type { Markup } from '../../representations/html/markup.ts'
import { withQuery } from '../../values/address.ts'
import { listScreen } from '../list/list-screen.ts'
import { dueMark, stageMark, statusMarks } from '../parts/marks.ts'
import { type Choice, choices } from '../parts/page-head.ts'
import type { ShownDeal } from '../parts/shown.ts'

const filters = ['status', 'stage', 'held', 'owner', 'price.gte', 'price.lte', 'completionDate.lte']

export const dealList = listScreen<ShownDeal>({
  columns: ['customerId', 'price', 'stage', 'status', 'completionDate', 'owner', 'updatedAt'],
  narrow: ['price', 'status'],
  heads: { name: say('Deal'), completionDate: say('Completion') },
  cells: {
    stage: ({ stage }, { resource, reader }) => stageMark(stage, resource.schema).for(reader),
    status: (deal, { reader }) => statusMarks(deal).for(reader),
    completionDate: (deal, { today, reader }) => dueMark(deal, today)?.for(reader) ?? '',
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
  sums: 'price',
  beside: (parameters, addresses) => boardSwitch('table', parameters, addresses),
})

/** The board shows open deals only, and its columns are the stages. */
export const boardList = {
  ...dealList,
  filters: filters.filter((filter) => filter !== 'status' && filter !== 'stage'),
}

const notShared = pageNames.union(spellingsOf('sort')).union(new Set(['status', 'stage']))

/** The switch between table and board, which keeps the filters. */
export function boardSwitch(view: 'table' | 'board', parameters: readonly Parameter[], addresses: Addresses): Markup {
  const shared = parameters.filter(({ name }) => !notShared.has(name))
  const choice = (to: typeof view, address: string, text: Text): Choice => ({
    href: withQuery(address, to === view ? parameters : shared),
    text,
    isCurrent: to === view,
  })
  const both = [choice('board', addresses.board, say('Board')), choice('table', addresses.deals, say('Table'))]
  return choices(say('View'), 'switch', both)
}
