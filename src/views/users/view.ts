import { say } from '../../languages/say.ts'
import type { User } from '../../model/user/user.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { foldedForm } from '../page-forms/framed-form.ts'
import { agoMarkup } from '../parts/moment.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'

export interface UsersPage {
  readonly users: readonly User[]
  /** For admins. */
  readonly invite?: DocumentForm
  readonly links: PageLinks
  readonly now: string
  readonly addresses: Addresses
}

export function usersPage({ users, invite, links, now, addresses }: UsersPage): Markup {
  const time = Date.parse(now)
  return html`<header class="head"><div><h1>Users</h1><p class="quiet">Who may sign in. <a href="${addresses.people}">People</a>${invite && html`, <a href="${addresses.audit}">audit</a>`}</p></div>
${invite && foldedForm(invite, 'Invite somebody')}</header>
${
  users.length === 0
    ? html`<p class="empty">No users.</p>\n`
    : html`<section class="table" aria-labelledby="users-caption" tabindex="0"><table>
<caption id="users-caption">${say('{count} users shown', { count: users.length })}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Full name</th><th scope="col">Role</th><th scope="col">Status</th><th scope="col" class="wide">Last seen</th></tr></thead>
<tbody>${users.map(
        ({ name, fullName, role, disabled, lastSeenAt }) =>
          html`<tr><th scope="row"><a href="${addresses.user(name)}">${name}</a></th><td>${fullName ?? ''}</td><td>${label(role)}</td><td>${userMark(
            disabled,
          )}</td><td class="wide">${lastSeenAt === null ? 'never' : agoMarkup(lastSeenAt, time)}</td></tr>
`,
      )}</tbody></table></section>
`
}${pager(links)}`
}

export const userMark = (disabled: boolean): Markup =>
  disabled ? html`<span class="mark off">Disabled</span>` : html`<span class="mark done">Active</span>`
