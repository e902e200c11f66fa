import type { ApiKey } from '../../model/user/key.ts'
import type { UserSession } from '../../model/user/session.ts'
import type { User } from '../../model/user/user.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import type { Identity } from '../../store/port/accounts.ts'
import { framedForm } from '../page-forms/framed-form.ts'
import { details } from '../parts/details.ts'
import { agoMarkup, instantMarkup } from '../parts/moment.ts'
import type { Addresses } from '../parts/visit.ts'
import { userMark } from '../users/view.ts'

export interface UserPage {
  readonly user: User
  readonly isSelf: boolean
  readonly invitation?: string
  readonly calendar?: string
  readonly secret?: string
  readonly refused?: { readonly title: string; readonly detail: string }
  readonly sessions: readonly UserSession[]
  /** The id of the session that shows this page. */
  readonly currentSession: string | null
  readonly keys: readonly ApiKey[]
  readonly identities: readonly Identity[]
  readonly edit: DocumentForm
  readonly password: DocumentForm
  readonly newKey: DocumentForm
  readonly calendarForms: readonly DocumentForm[]
  /** What only admins may do. */
  readonly admin?: { readonly invite: DocumentForm; readonly link: DocumentForm; readonly remove: DocumentForm }
  readonly now: string
  readonly addresses: Addresses
}

export function userPage(page: UserPage): Markup {
  const { user, isSelf, refused, invitation, calendar, secret, edit, password, admin, addresses } = page
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.users}">Users</a></p>
<h1>${user.fullName ?? user.name}</h1>
<p class="marks">${userMark(user.disabled)} ${label(user.role)}</p></div>
<p><a class="button" href="${addresses.person(user.name)}">${isSelf ? 'My deals and activity' : 'Deals and activity'}</a></p></header>
${
  refused &&
  html`<section class="refused panel" role="alert" aria-labelledby="refused"><h2 id="refused">${refused.title}</h2><p>Nothing was changed: ${refused.detail}</p></section>
`
}${invitation !== undefined && shownOnce('The invitation', 'Send this link to them. It works once, for seven days, and is shown only here.', invitation)}${calendar !== undefined && shownOnce('The calendar', 'Subscribe to this address in your calendar. Whoever knows it can read your tasks and deals with dates; it is shown only here.', calendar)}${
  secret !== undefined && shownOnce('The key', 'It is shown only once. Programs send it as a Bearer token.', secret)
}<div class="columns">
<section class="panel" aria-labelledby="profile"><h2 id="profile">${isSelf ? 'My profile' : 'Profile'}</h2>${framedForm(edit, 'edit-form')}</section>
<div><section class="panel" aria-labelledby="facts"><h2 id="facts">Details</h2>${userDetails(page)}</section>
<section class="panel" aria-labelledby="password"><h2 id="password">Password</h2><p class="quiet">A new password ends all sessions.</p>${framedForm(password, 'password-form')}</section>
<section class="panel" aria-labelledby="calendar"><h2 id="calendar">Calendar</h2><p class="quiet">An address for calendars, with open tasks and deals that have a date. A new one replaces the one before.</p>${page.calendarForms.map((form, at) => framedForm(form, `calendar-form-${at}`))}</section>
${
  admin &&
  html`<section class="panel" aria-labelledby="admin"><h2 id="admin">Administration</h2>
<p>An invitation is a link by which the user sets a password, once.</p>${framedForm(admin.invite, 'invite-form')}
<p>Who signs in at the provider under another name is linked by their subject there.</p>${framedForm(admin.link, 'link-form')}
${!isSelf && framedForm(admin.remove, 'remove-form', { danger: true })}</section>
`
}</div>
</div>
${sessionsPanel(page)}${keysPanel(page)}`
}

const shownOnce = (title: string, text: string, secret: string): Markup =>
  html`<section class="panel" aria-labelledby="once"><h2 id="once">${title}</h2><p>${text}</p><div class="codes"><div><pre data-copy tabindex="0"><code>${secret}</code></pre></div></div></section>
`

const userDetails = ({ user, identities, now }: UserPage): Markup =>
  details([
    ['Name', user.name],
    ['Last seen', user.lastSeenAt === null ? 'never' : agoMarkup(user.lastSeenAt, Date.parse(now))],
    ['At the provider', identities.length > 0 && identities.map(({ subject }) => subject).join(', ')],
    ['Created', instantMarkup(user.createdAt)],
    ['Changed', instantMarkup(user.updatedAt)],
  ])

function sessionsPanel({ user, sessions, currentSession, now, addresses }: UserPage): Markup {
  const time = Date.parse(now)
  return html`<section class="panel" aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
${
  sessions.length === 0
    ? html`<p class="empty">No browser is signed in.</p>\n`
    : html`<section class="table" aria-labelledby="sessions-caption" tabindex="0"><table>
<caption id="sessions-caption">Browsers that are signed in</caption>
<thead><tr><th scope="col">Browser</th><th scope="col">From</th><th scope="col">Last used</th><th scope="col" class="wide">Signed in</th><th scope="col">End it</th></tr></thead>
<tbody>${sessions.map(
        ({ id, client, address, seenAt, createdAt }) =>
          html`<tr><th scope="row">${client ?? 'not known'}</th><td>${address ?? ''}</td><td>${
            id === currentSession ? 'this one' : agoMarkup(seenAt, time)
          }</td><td class="wide">${agoMarkup(createdAt, time)}</td><td>${rowForm(
            addresses.ofUser(user.name, 'sessions', id),
            'endings',
            'End',
            `the session of ${client ?? 'a browser'}`,
          )}</td></tr>
`,
      )}</tbody></table></section>
<form method="post" action="${addresses.ofUser(user.name, 'session-endings')}" data-confirm="Yes, end all"><p><button type="submit" class="danger">End all sessions</button></p></form>
`
}</section>
`
}

function keysPanel({ user, keys, newKey, addresses }: UserPage): Markup {
  return html`<section class="panel" aria-labelledby="keys"><h2 id="keys">Keys for programs</h2>
${
  keys.length === 0
    ? html`<p class="empty">No keys.</p>\n`
    : html`<section class="table" aria-labelledby="keys-caption" tabindex="0"><table>
<caption id="keys-caption">Keys of ${user.name}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Role</th><th scope="col">Ends</th><th scope="col">Withdraw it</th></tr></thead>
<tbody>${keys.map(
        ({ name, role, endsAt }) =>
          html`<tr><th scope="row">${name}</th><td>${label(role)}</td><td>${endsAt === null ? 'never' : instantMarkup(endsAt)}</td><td>${rowForm(
            addresses.ofUser(user.name, 'keys', name),
            'withdrawals',
            'Withdraw',
            `the key ${name}`,
          )}</td></tr>
`,
      )}</tbody></table></section>
`
}${framedForm(newKey, 'key-form')}</section>
`
}

const rowForm = (address: string, noun: string, submit: string, what: string): Markup =>
  html`<form method="post" action="${address}/${noun}"><button type="submit" class="plain" aria-label="${submit} ${what}">${submit}</button></form>`
