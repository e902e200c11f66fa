import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { dayIn, numberText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { User } from '../../model/nouns/user/user.ts'
import { collectionNamed } from '../../queries/collections.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { mayDo } from '../../values/role.ts'
import { nextStep } from '../filters/filter-bar.ts'
import { askGroups } from '../parts/ask.ts'
import { mark } from '../parts/marks.ts'
import { crumb } from '../parts/page-head.ts'
import { panel } from '../parts/panel.ts'
import type { Screen } from '../parts/screen.ts'
import { table } from '../parts/table.ts'
import { tableList } from '../table-list/view.ts'
import { correctionForm } from './correction.ts'
import { readStrangers, type Stranger } from './read-strangers.ts'

/** All people, and the work of each. */
export async function showPeople(list: ShownList, call: Call): Promise<Screen> {
  const { items } = list
  const { desk, reader, service } = call
  const today = dayIn(new Date().toISOString(), reader.timeZone)
  const counted = async (collection: string, field: string, filter: string) => {
    const search = `status=open${filter}&group=${field}&measure=count`
    const groups = await askGroups(desk, collectionNamed(desk.schema, collection), search)
    return new Map(groups.map((group) => [String(group[field]), Number(group.count)]))
  }
  const [deals, tasks, late, strangers] = await Promise.all([
    counted('deals', 'owner', ''),
    counted('tasks', 'assignee', ''),
    counted('tasks', 'assignee', `&dueOn.lt=${today}`),
    mayDo(call, 'admin') && items.length > 0 ? readStrangers(call) : [],
  ])
  const lateMark = (count: number) => count > 0 && [mark('late', say('{count} overdue', { count })), ' ']
  const people = tableList<Pick<User, 'name' | 'fullName'>>({
    title: say('People'),
    list,
    address: service.addresses.people,
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
    none: say('No users yet. With the first one, everybody has to sign in.'),
    next: mayDo(call, 'admin') ? nextStep(`${service.addresses.users}#new-form`, say('Invite somebody')) : undefined,
  })
  const unknown = strangers.length > 0 && strangersPanel(strangers, call)
  return () => html`${people}${unknown}`
}

/** For admins: who looks after things and is no user. */
function strangersPanel(strangers: readonly Stranger[], { service: { addresses, roster } }: Call): Markup {
  const [ids, back] = [new Map(strangers.map(({ name }, at) => [name, `correction-${at + 1}`])), '/people']
  const shown = table<Stranger>({
    id: 'strangers-caption',
    caption: say('Not users'),
    columns: [
      { head: say('Name'), cell: ({ name }) => name },
      { head: say('Entries'), kind: 'number', cell: ({ count }) => numberText(count) },
      {
        head: say('Hand over'),
        cell: ({ name }) =>
          correctionForm({ name, people: roster.people, back, addresses }, ids.get(name) ?? '', say('Hand over')),
      },
    ],
    rows: strangers,
    none: say('Nothing yet.'),
  })
  const about = say('These names look after something, and nobody signs in with them: choose whose it is.')
  return panel('strangers', say('Not users'), [html`<p>${about}</p>`, shown])
}
