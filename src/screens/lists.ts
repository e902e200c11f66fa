import type { Call, ListReading } from '../http/contract/endpoint.ts'
import type { Shown } from '../http/contract/shown.ts'
import type { Resource } from '../model/declaration/schema.ts'
import { lazily } from '../values/lazily.ts'
import { listOrders } from './list/list-screen.ts'
import type { Screen } from './parts/screen.ts'

type ShownAsList = Extract<Shown, { readonly screen: 'list' }>

interface LoadedList extends ListReading {
  readonly show: (shown: ShownAsList, call: Call, title: string) => Promise<Screen | undefined>
}

const audit = lazily(() => import('./audit/view.ts'))
const allAudited = lazily(() => import('./audited/read.ts'))
const commandLists = lazily(() => import('./commands/read.ts'))
const deliveries = lazily(() => import('./deliveries/read.ts'))
const events = lazily(() => import('./events/read.ts'))
const histories = lazily(() => import('./history/read.ts'))
const imports = lazily(() => import('./import/read.ts'))
const people = lazily(() => import('./people/read.ts'))
const allThings = lazily(() => import('./things.ts'))
const users = lazily(() => import('./users/read.ts'))
const webhooks = lazily(() => import('./webhooks/read.ts'))

const commands: LoadedList = { show: async ({ list }, call) => (await commandLists()).showCommands(list, call) }
const things: LoadedList = {
  show: async ({ list, of }, call) => of && (await allThings()).showThings(of, list, call),
  showsFields: true,
}

/** The lists with their own screens, instead of a plain table. */
export const lists: { readonly [name: string]: LoadedList } = {
  audit: { show: async ({ list }, call) => (await audit()).showAudit(list, call) },
  audited: { show: async ({ list, of }, call) => of && (await allAudited()).showAuditedList(of, list, call) },
  commands: { ...commands, order: '-decidedAt' },
  'commands of one': commands,
  deliveries: { show: async ({ list }, call) => (await deliveries()).showDeliveries(list, call) },
  events: { show: async ({ list }, call) => (await events()).showEvents(list, call), order: '-sequence' },
  history: {
    show: async ({ list, of }, call, title) => of && (await histories()).showHistory(of, title)(list, call),
  },
  imports: { show: async ({ list }, call) => (await imports()).showImports(list, call), order: '-id' },
  people: { show: async ({ list }, call) => (await people()).showPeople(list, call) },
  things,
  'things of one': things,
  users: { show: async ({ list }, call) => (await users()).showUsers(list, call) },
  webhooks: { show: async ({ list }, call) => (await webhooks()).showWebhooks(list, call) },
}

/** How people read the list of a name. */
export function listReading(name: string, of?: Resource): ListReading | undefined {
  const known = lists[name]
  if (known !== things || of === undefined) return known
  const table: NonNullable<ListReading['table']> = async (fields, call) =>
    (await allThings()).seenTableOf(of, fields, call)
  return { ...things, table, ...(name === 'things' && { order: listOrders[of.name] }) }
}
