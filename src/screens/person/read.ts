import type { ShownPerson } from '../../http/contract/shown.ts'
import { dayIn } from '../../languages/formats.ts'
import { resourceNamed } from '../../model/resources.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { mayDo } from '../../values/role.ts'
import { ask, askGroups } from '../parts/ask.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import { thousandthsOf } from '../parts/money.ts'
import { readNames } from '../parts/names.ts'
import { type Amount, readActivity, readThing } from '../parts/shown.ts'
import type { View, Visit } from '../parts/visit.ts'
import { readReporting } from '../reporting/read.ts'
import { reportedSum } from '../reporting/reporting.ts'
import { showTasks } from '../task-panel/read.ts'
import { personPage } from './view.ts'

const SHOWN_DEALS = 50
const SHOWN_ACTIVITY = 20

/** A person with their open deals and tasks, and their activity. */
export async function showPerson(person: ShownPerson, visit: Visit): Promise<View> {
  const { addresses } = visit.service
  const name = encodeURIComponent(person.name)
  const open = `owner.eq=${name}&status=open`
  const now = new Date().toISOString()
  const collections = collectionsOf(visit.desk.schema)
  const [owned, groups, done, users, tasks, reporting] = await Promise.all([
    ask(visit.desk, collections.deals, `${open}&sort=-updatedAt&maxpagesize=${SHOWN_DEALS}`),
    askGroups(visit.desk, collections.deals, `${open}&group=currency&measure=count,sum.price`),
    ask(visit.desk, collections.events, `actor=${name}&sort=-sequence&maxpagesize=${SHOWN_ACTIVITY}`),
    person.isUser || !mayDo(visit, 'admin') ? [] : visit.service.store.accounts.users(),
    showTasks({ assignee: person.name }, now, visit),
    readReporting(visit, dayIn(now, visit.reader.timeZone)),
  ])
  const dealResource = resourceNamed(visit.desk.schema, 'deal')
  const deals = owned.items.map(readThing)
  const sums = groups.map((group) => ({
    currency: String(group.currency),
    value: thousandthsOf(group['sum.price'] as Amount),
  }))
  const page = {
    ...person,
    dealResource,
    deals,
    hasMore: owned.hasMore,
    names: await readNames(dealResource, deals, visit.desk),
    count: groups.reduce((all, { count }) => all + Number(count), 0),
    sum: reportedSum(sums, reporting),
    reporting,
    activity: await namedEntries(
      done.items.map((json) => readActivity(json, visit.desk.schema)),
      visit.desk,
    ),
    users: users.filter(({ disabled }) => !disabled).map((user) => user.name),
    mayEdit: person.isUser && mayDo(visit, 'admin'),
    tasks,
    now,
    addresses,
  }
  return () => personPage(page)
}
