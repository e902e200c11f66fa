import { collections } from '../../queries/collections.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { mayDo } from '../../values/role.ts'
import { ask, customerNames } from '../parts/ask.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import { readActivity, readDeal } from '../parts/shown.ts'
import { showTasks } from '../parts/tasks/read.ts'
import type { View, Visit } from '../parts/visit.ts'
import { personPage } from './view.ts'

const SHOWN_DEALS = 50
const SHOWN_ACTIVITY = 20

interface SomeonesName {
  readonly name: string
  readonly fullName: string | null
  /** Whether a user has the name. */
  readonly isUser: boolean
}

/** A person with the open deals that they look after, and what they did. */
export async function showPerson(person: SomeonesName, visit: Visit): Promise<View> {
  const { store, addresses } = visit.service
  const name = encodeURIComponent(person.name)
  const now = new Date().toISOString()
  const [owned, done, users, tasks] = await Promise.all([
    ask(store, collections.deals, `owner.eq=${name}&status=open&sort=-updatedAt&maxpagesize=${SHOWN_DEALS}`),
    ask(store, collections.events, `actor=${name}&sort=-sequence&maxpagesize=${SHOWN_ACTIVITY}`),
    person.isUser || !mayDo(visit, 'admin') ? [] : store.accounts.users(),
    showTasks({ assignee: person.name }, now, visit),
  ])
  const deals = owned.items.map(readDeal)
  const customers = await customerNames(store, deals)
  const names = users.filter(({ disabled }) => !disabled).map((user) => user.name)
  const page = {
    ...person,
    deals,
    hasMore: owned.hasMore,
    customers,
    activity: await namedEntries(done.items.map(readActivity), store),
    ...(names.length > 0 && { match: matchForm(person.name, names, visit) }),
    isAdmin: person.isUser && mayDo(visit, 'admin'),
    tasks,
    now,
    addresses,
  }
  return () => personPage(page)
}

const matchForm = (name: string, users: readonly string[], { service }: Visit): DocumentForm => ({
  title: 'This is a user',
  action: `${service.addresses.person(name)}/matches`,
  method: 'post',
  submit: 'Give them the open deals',
  fields: [{ name: 'user', label: 'User', schema: { type: 'string', enum: users }, required: true }],
  hidden: {},
})
