import { say } from '../../languages/say.ts'
import type { User } from '../../model/user/user.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { foldedForm } from '../page-forms/framed-form.ts'
import { agoMarkup } from '../parts/moment.ts'
import { roleTexts } from '../parts/role-text.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'
import { invitationForm } from './invitation-form.ts'

export interface UsersPage {
  readonly users: readonly User[]
  /** Whether the caller may invite others. */
  readonly invite: boolean
  readonly links: PageLinks
  readonly now: string
  readonly addresses: Addresses
}

export function usersPage({ users, invite, links, now, addresses }: UsersPage): Markup {
  const time = Date.parse(now)
  return html`<header class="head"><div><h1>${say('Users')}</h1><p class="quiet">${say('Who may sign in.')} <a href="${addresses.people}">${say('People')}</a>${invite && html`<span aria-hidden="true"> · </span><a href="${addresses.audit}">${say('Audit')}</a>`}</p></div>
${invite && foldedForm(invitationForm(addresses), say('Invite somebody'))}</header>
${
  users.length === 0
    ? html`<p class="empty">${say('No users.')}</p>\n`
    : html`<div class="table" role="group" aria-labelledby="users-caption" tabindex="0"><table>
<caption id="users-caption">${say('{count} users shown', { count: users.length })}</caption>
<thead><tr><th scope="col">${say('Name')}</th><th scope="col">${say('Full name')}</th><th scope="col">${say('Role')}</th><th scope="col">${say('Status')}</th><th scope="col" class="wide">${say('Last seen')}</th></tr></thead>
<tbody>${users.map(
        ({ name, fullName, role, disabled, lastSeenAt }) =>
          html`<tr><th scope="row"><a href="${addresses.user(name)}">${name}</a></th><td>${fullName ?? ''}</td><td>${roleTexts[role]}</td><td>${userMark(
            disabled,
          )}</td><td class="wide">${lastSeenAt === null ? say('never') : agoMarkup(lastSeenAt, time)}</td></tr>
`,
      )}</tbody></table></div>
`
}${pager(links)}`
}

export const userMark = (disabled: boolean): Markup =>
  disabled
    ? html`<span class="mark off">${say('Disabled')}</span>`
    : html`<span class="mark done">${say('Active')}</span>`
