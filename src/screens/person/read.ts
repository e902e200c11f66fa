import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownPerson } from '../../http/contract/shown.ts'
import { dayIn } from '../../languages/formats.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { mayDo } from '../../values/role.ts'
import { ask, askGroups } from '../parts/ask.ts'
import { namedActivities } from '../parts/happenings/named-entries.ts'
import { thousandthsOf } from '../parts/money.ts'
import { readNames } from '../parts/names.ts'
import type { Screen } from '../parts/screen.ts'
import { type Amount, readActivity, readThing } from '../parts/shown.ts'
import { readReporting } from '../reporting/read.ts'
import { reportedSum } from '../reporting/reporting.ts'
import { showTasks } from '../task-panel/read.ts'
import { personPage } from './view.ts'

const SHOWN_DEALS = 50
const SHOWN_ACTIVITY = 20

/** A person with their open deals and tasks, and their activity. */
export async function showPerson(person: ShownPerson, call: Call): Promise<Screen> {
  const { addresses } = call.service
  const name = encodeURIComponent(person.name)
  const open = `owner.eq=${name}&status=open`
  const now = new Date().toISOString()
  const collections = collectionsOf(call.desk.schema)
  const [owned, groups, done, tasks, reporting] = await Promise.all([
    ask(call.desk, collections.deals, `${open}&sort=-updatedAt&maxpagesize=${SHOWN_DEALS}`),
    askGroups(call.desk, collections.deals, `${open}&group=currency&measure=count,sum.price`),
    ask(call.desk, collections.events, `actor=${name}&sort=-sequence&maxpagesize=${SHOWN_ACTIVITY}`),
    showTasks({ assignee: person.name }, now, call),
    readReporting(call, dayIn(now, call.reader.timeZone)),
  ])
  const dealResource = resourceNamed(call.desk.schema, 'deal')
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
    names: await readNames(dealResource, deals, call.desk),
    count: groups.reduce((all, { count }) => all + Number(count), 0),
    sum: reportedSum(sums, reporting),
    reporting,
    activity: await namedActivities(
      done.items.map((json) => readActivity(json, call.desk.schema)),
      call.desk,
    ),
    people: mayDo(call, 'admin') ? call.service.roster.people : [],
    mayEdit: person.isUser && mayDo(call, 'admin'),
    tasks: tasks.screen,
    now,
    addresses,
  }
  return () => personPage(page)
}
