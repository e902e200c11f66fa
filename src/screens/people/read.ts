import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { dayIn, numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { User } from '../../model/user/user.ts'
import { collectionNamed } from '../../queries/collections.ts'
import { html } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { askGroups } from '../parts/ask.ts'
import { mark } from '../parts/marks.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import type { Screen } from '../parts/screen.ts'
import { table } from '../parts/table.ts'

/** All people, and the work of each. */
export async function showPeople({ items, links }: ShownList, { desk, reader, service }: Call): Promise<Screen> {
  const today = dayIn(new Date().toISOString(), reader.timeZone)
  const counted = async (collection: string, field: string, filter: string) => {
    const search = `status=open${filter}&group=${field}&measure=count`
    const groups = await askGroups(desk, collectionNamed(desk.schema, collection), search)
    return new Map(groups.map((group) => [String(group[field]), Number(group.count)]))
  }
  const [deals, tasks, late] = await Promise.all([
    counted('deals', 'owner', ''),
    counted('tasks', 'assignee', ''),
    counted('tasks', 'assignee', `&dueOn.lt=${today}`),
  ])
  const lateMark = (count: number) => count > 0 && [mark('late', say('{count} overdue', { count })), ' ']
  const people = table<Pick<User, 'name' | 'fullName'>>({
    id: 'people-caption',
    caption: say('Open deals and tasks'),
    columns: [
      { head: say('Name'), cell: ({ name, fullName }) => crumb(service.addresses.person(name), fullName ?? name) },
      { head: say('Signs in as'), kind: 'wide', cell: ({ name }) => name },
      { head: say('Deals'), kind: 'number', cell: ({ name }) => deals.get(name) ?? 0 },
      {
        head: say('Tasks'),
        kind: 'number',
        cell: ({ name }) => [lateMark(late.get(name) ?? 0), numberText(tasks.get(name) ?? 0)],
      },
    ],
    rows: Array.from(items, (json) => JSON.parse(json)),
    none: say('No users.'),
  })
  return () => html`${pageHead({ title: say('People') })}${people}${pager(links)}`
}
