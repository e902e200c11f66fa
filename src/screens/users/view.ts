import type { Addresses } from '../../http/contract/addresses.ts'
import type { PageLinks } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { User } from '../../model/user/user.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { foldedForm } from '../forms/framed-form.ts'
import { mark } from '../parts/marks.ts'
import { agoMarkup } from '../parts/moment.ts'
import { pageHead } from '../parts/page-head.ts'
import { roleTexts } from '../parts/role-text.ts'
import { table } from '../parts/table.ts'
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
  const people = html`<a href="${addresses.people}">${say('People')}</a>`
  const audit = html`<span aria-hidden="true"> · </span><a href="${addresses.audit}">${say('Audit')}</a>`
  const head = pageHead({
    title: say('Users'),
    about: [say('Who may sign in.'), ' ', people, invite && audit],
    beside: invite && foldedForm(invitationForm(addresses), say('Invite somebody')),
  })
  const shown = table({
    id: 'users-caption',
    caption: say('{count} users shown', { count: users.length }),
    columns: [
      { head: say('Name'), cell: ({ name }) => html`<a href="${addresses.user(name)}">${name}</a>` },
      { head: say('Full name'), cell: ({ fullName }) => fullName ?? '' },
      { head: say('Role'), cell: ({ role }) => roleTexts[role] },
      { head: say('Status'), cell: ({ disabled }) => userMark(disabled) },
      {
        head: say('Last seen'),
        kind: 'wide',
        cell: ({ lastSeenAt }) => (lastSeenAt === null ? say('never') : agoMarkup(lastSeenAt, time)),
      },
    ],
    rows: users,
    none: say('No users.'),
  })
  return html`${head}${shown}${pager(links)}`
}

export const userMark = (disabled: boolean): Markup =>
  disabled ? mark('off', say('Disabled')) : mark('done', say('Active'))
