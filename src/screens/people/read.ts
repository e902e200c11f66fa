import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { dayIn } from '../../languages/formats.ts'
import type { User } from '../../model/user/user.ts'
import { collectionNamed, collectionsOf } from '../../queries/collections.ts'
import { askGroups } from '../parts/ask.ts'
import type { Screen } from '../parts/screen.ts'
import { peoplePage } from './view.ts'

/** All people, and the work of each. */
export async function showPeople(list: ShownList, call: Call): Promise<Screen> {
  const { addresses } = call.service
  const today = dayIn(new Date().toISOString(), call.reader.timeZone)
  const { schema } = call.desk
  const tasks = collectionNamed(schema, 'tasks')
  const [deals, open, late] = await Promise.all([
    askGroups(call.desk, collectionsOf(schema).deals, 'status=open&group=owner&measure=count'),
    askGroups(call.desk, tasks, 'status=open&group=assignee&measure=count'),
    askGroups(call.desk, tasks, `status=open&dueOn.lt=${today}&group=assignee&measure=count`),
  ])
  const counted = (groups: typeof deals, field: string) =>
    new Map(groups.map((group) => [String(group[field]), Number(group.count)]))
  const page = {
    ...list,
    people: Array.from(list.items, (json) => JSON.parse(json) as Pick<User, 'name' | 'fullName'>),
    deals: counted(deals, 'owner'),
    tasks: counted(open, 'assignee'),
    late: counted(late, 'assignee'),
    addresses,
  }
  return () => peoplePage(page)
}
