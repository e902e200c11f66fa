import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { ApiKey } from '../../model/user/key.ts'
import type { Identity } from '../../model/user/operations.ts'
import type { UserSession } from '../../model/user/session.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { framedForm } from '../page-forms/framed-form.ts'
import { refusedNotice } from '../page-forms/refused-notice.ts'
import { agoMarkup, dayMarkup, instantMarkup } from '../parts/moment.ts'
import { details } from '../parts/panel.ts'
import { roleTexts } from '../parts/role-text.ts'
import { userMark } from '../users/view.ts'
import { asSent, type RefusedForm } from './as-sent.ts'
import { type FormsOf, type UserForms, userForms } from './forms.ts'
import { signInAgain } from './sign-in-again.ts'

export interface UserPage extends FormsOf {
  /** Whether people can sign in elsewhere. */
  readonly hasProvider: boolean
  readonly invitation?: string
  readonly calendar?: string
  readonly secret?: string
  readonly sent?: RefusedForm
  readonly sessions: readonly UserSession[]
  /** The id of the session that shows this page. */
  readonly currentSession: string | null
  readonly keys: readonly ApiKey[]
  readonly identities: readonly Identity[]
  readonly now: string
}

export function userPage(page: UserPage): Markup {
  const { user, isSelf, addresses } = page
  const { forms, refused } = asSent(userForms(page), page.sent)
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.users}">${say('Users')}</a></p>
<h1>${user.fullName ?? user.name}</h1>
<p class="marks">${userMark(user.disabled)} ${roleTexts[user.role]}</p></div>
<p><a class="button" href="${addresses.person(user.name)}">${isSelf ? say('My deals and tasks') : say('Deals and tasks')}</a></p></header>
${refused && refusedNotice(refused)}${signInAgain(page)}${onceMarkup(page)}<div class="columns">
<div><section class="panel" aria-labelledby="profile"><h2 id="profile">${isSelf ? say('My profile') : say('Profile')}</h2>${framedForm(forms.edit, 'edit-form')}</section>
${calendarPanel(page, forms)}</div>
<div><section class="panel" aria-labelledby="facts"><h2 id="facts">${say('Details')}</h2>${userDetails(page)}</section>
<section class="panel" aria-labelledby="password"><h2 id="password">${say('Password')}</h2><p class="quiet">${say('A new password ends all sessions.')}</p>${framedForm(forms.password, 'password-form')}</section>
${page.isAdmin && adminPanel(page, forms)}</div>
</div>
${sessionsPanel(page)}${keysPanel(page, forms)}`
}

/** What is shown this once. */
function onceMarkup({ invitation, calendar, secret }: UserPage): Markup {
  const shown = (title: Text, text: Text, value: string): Markup =>
    html`<section class="panel" aria-labelledby="once"><h2 id="once">${title}</h2><p>${text}</p><div class="codes"><div><pre data-copy tabindex="0"><code>${value}</code></pre></div></div></section>
`
  return html`${
    invitation !== undefined &&
    shown(
      say('The invitation'),
      say('Send this link to them. It works once, for seven days, and is shown only here.'),
      invitation,
    )
  }${
    calendar !== undefined &&
    shown(
      say('The address of your calendar'),
      say(
        'Paste it into your calendar under “Subscribe to a calendar” or “From URL”. Anyone who has it can read your tasks and deals with dates; it is shown only here.',
      ),
      calendar,
    )
  }${
    secret !== undefined &&
    shown(say('The key'), say('It is shown only once. Programs send it as a Bearer token.'), secret)
  }`
}

function calendarPanel({ isSelf }: UserPage, forms: UserForms): Markup {
  return html`<section class="panel" aria-labelledby="calendar"><h2 id="calendar">${say('Calendar')}</h2><p>${
    isSelf
      ? say(
          'Your calendar on a phone or computer can show your open tasks and deals with a date, and follows every change. Create an address, copy it and subscribe to it there. A new address replaces the previous one.',
        )
      : say('Only the user can create an address; you can revoke it here.')
  }</p>
<div class="send">${isSelf && framedForm(forms.openCalendar, 'calendar-form')}${framedForm(forms.revokeCalendar, 'revoke-form', { danger: true })}</div></section>
`
}

const adminPanel = ({ isSelf, user, hasProvider, addresses }: UserPage, forms: UserForms): Markup =>
  html`<section class="panel" aria-labelledby="admin"><h2 id="admin">${say('Administration')}</h2>
<p>${say('An invitation is a one-time link with which the user sets a password.')}</p>${framedForm(forms.invite, 'invite-form')}
${
  hasProvider &&
  html`<h3>${say('Provider')}</h3><p>${say('To link a person who has another name at the provider, enter their subject there.')}</p>${framedForm(forms.link, 'link-form')}
`
}${!isSelf && html`<h3>${say('Remove')}</h3>${framedForm(forms.remove, 'remove-form', { confirm: addresses.confirmation({ name: 'user' }, user.name, 'remove') })}`}</section>
`

const userDetails = ({ user, identities, now }: UserPage): Markup =>
  details([
    [say('Name'), user.name],
    [say('Last seen'), user.lastSeenAt === null ? say('never') : agoMarkup(user.lastSeenAt, Date.parse(now))],
    [say('At the provider'), identities.length > 0 && identities.map(({ subject }) => subject).join(', ')],
    [say('Created'), instantMarkup(user.createdAt)],
    [say('Changed'), instantMarkup(user.updatedAt)],
  ])

function sessionsPanel({ user, sessions, currentSession, now, addresses }: UserPage): Markup {
  const time = Date.parse(now)
  return html`<section class="panel" aria-labelledby="sessions"><h2 id="sessions">${say('Sessions')}</h2>
${
  sessions.length === 0
    ? html`<p class="empty">${say('No browser is signed in.')}</p>\n`
    : html`<div class="table" role="group" aria-labelledby="sessions-caption" tabindex="0"><table>
<caption id="sessions-caption">${say('Browsers that are signed in')}</caption>
<thead><tr><th scope="col">${say('Browser')}</th><th scope="col" class="wide">${say('Address')}</th><th scope="col">${say('Last used')}</th><th scope="col" class="wide">${say('Signed in')}</th><th scope="col">${say('End it')}</th></tr></thead>
<tbody>${sessions.map(
        ({ id, client, address, seenAt, createdAt }) =>
          html`<tr><th scope="row" class="brief">${client ?? say('not known')}</th><td class="wide">${address ?? ''}</td><td>${
            id === currentSession ? say('this one') : agoMarkup(seenAt, time)
          }</td><td class="wide">${agoMarkup(createdAt, time)}</td><td>${rowForm(
            `${addresses.ofUser(user.name, 'sessions', id)}/endings`,
            say('End|verb'),
            say('End the session of {browser}', { browser: client ?? say('not known') }),
          )}</td></tr>
`,
      )}</tbody></table></div>
<form method="post" action="${addresses.ofUser(user.name, 'session-endings')}" data-confirm="${say('Yes, end all')}"><p><button type="submit" class="danger">${say('End all sessions')}</button></p></form>
`
}</section>
`
}

function keysPanel({ user, keys, addresses }: UserPage, { newKey }: UserForms): Markup {
  return html`<section class="panel" aria-labelledby="keys"><h2 id="keys">${say('Keys for programs')}</h2>
${
  keys.length === 0
    ? html`<p class="empty">${say('No keys.')}</p>\n`
    : html`<div class="table" role="group" aria-labelledby="keys-caption" tabindex="0"><table>
<caption id="keys-caption">${say('Keys of {name}', { name: user.name })}</caption>
<thead><tr><th scope="col">${say('Name')}</th><th scope="col" class="wide">${say('Role')}</th><th scope="col">${say('Ends')}</th><th scope="col">${say('Withdraw it')}</th></tr></thead>
<tbody>${keys.map(
        ({ name, role, endsAt }) =>
          html`<tr><th scope="row">${name}</th><td class="wide">${roleTexts[role]}</td><td>${endsAt === null ? say('never') : dayMarkup(endsAt)}</td><td>${rowForm(
            `${addresses.ofUser(user.name, 'keys', name)}/withdrawals`,
            say('Withdraw'),
            say('Withdraw the key {name}', { name }),
          )}</td></tr>
`,
      )}</tbody></table></div>
`
}${framedForm(newKey, 'key-form')}</section>
`
}

const rowForm = (action: string, submit: Text, what: Text): Markup =>
  html`<form method="post" action="${action}"><button type="submit" class="plain" aria-label="${what}">${submit}</button></form>`
