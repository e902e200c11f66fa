import type { Addresses } from '../../http/contract/addresses.ts'
import type { PageLinks } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { User } from '../../model/user/user.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { mark } from '../parts/marks.ts'
import { pageHead } from '../parts/page-head.ts'
import { table } from '../parts/table.ts'

type ListedPerson = Pick<User, 'name' | 'fullName'>

export interface PeoplePage {
  readonly people: readonly ListedPerson[]
  /** The numbers of open deals, open tasks and overdue tasks of each. */
  readonly deals: ReadonlyMap<string, number>
  readonly tasks: ReadonlyMap<string, number>
  readonly late: ReadonlyMap<string, number>
  readonly links: PageLinks
  readonly addresses: Addresses
}

export function peoplePage({ people, deals, tasks, late, links, addresses }: PeoplePage): Markup {
  const lateMark = (count: number) => count > 0 && [mark('late', say('{count} overdue', { count })), ' ']
  const shown = table<ListedPerson>({
    id: 'people-caption',
    caption: say('Open deals and tasks'),
    columns: [
      {
        head: say('Name'),
        cell: ({ name, fullName }) => html`<a href="${addresses.person(name)}">${fullName ?? name}</a>`,
      },
      { head: say('Signs in as'), kind: 'wide', cell: ({ name }) => name },
      { head: say('Deals'), kind: 'number', cell: ({ name }) => deals.get(name) ?? 0 },
      {
        head: say('Tasks'),
        kind: 'number',
        cell: ({ name }) => [lateMark(late.get(name) ?? 0), tasks.get(name) ?? 0],
      },
    ],
    rows: people,
    none: say('No users.'),
  })
  return html`${pageHead({ title: say('People') })}${shown}${pager(links)}`
}
