import { say } from '../../languages/say.ts'
import type { User } from '../../model/user/user.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'

export interface PeoplePage {
  readonly people: readonly Pick<User, 'name' | 'fullName'>[]
  /** How many open deals, open tasks and overdue tasks each has. */
  readonly deals: ReadonlyMap<string, number>
  readonly tasks: ReadonlyMap<string, number>
  readonly late: ReadonlyMap<string, number>
  readonly links: PageLinks
  readonly addresses: Addresses
}

export function peoplePage({ people, deals, tasks, late, links, addresses }: PeoplePage): Markup {
  const row = ({ name, fullName }: PeoplePage['people'][number]): Markup => {
    const overdue = late.get(name) ?? 0
    return html`<tr><th scope="row"><a href="${addresses.person(name)}">${fullName ?? name}</a></th><td class="wide">${name}</td><td class="number">${deals.get(name) ?? 0}</td><td class="number">${
      overdue > 0 && html`<span class="mark late">${say('{count} overdue', { count: overdue })}</span> `
    }${tasks.get(name) ?? 0}</td></tr>
`
  }
  return html`<header class="head"><div><h1>${say('People')}</h1></div></header>
${
  people.length === 0
    ? html`<p class="empty">${say('No users.')}</p>\n`
    : html`<div class="table" role="group" aria-labelledby="people-caption" tabindex="0"><table>
<caption id="people-caption">${say('Open deals and tasks')}</caption>
<thead><tr><th scope="col">${say('Name')}</th><th scope="col" class="wide">${say('Signs in as')}</th><th scope="col" class="number">${say('Deals')}</th><th scope="col" class="number">${say('Tasks')}</th></tr></thead>
<tbody>${people.map(row)}</tbody></table></div>
`
}${pager(links)}`
}
