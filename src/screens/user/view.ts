import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { ApiKey } from '../../model/nouns/user/key.ts'
import type { Identity } from '../../model/nouns/user/operations.ts'
import type { UserSession } from '../../model/nouns/user/session.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import { asSegment } from '../../values/address.ts'
import { framedForm } from '../forms/framed-form.ts'
import { refusedNotice } from '../forms/refused-notice.ts'
import { agoMarkup, dayMarkup, instantMarkup } from '../parts/moment.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { copied, details, panel } from '../parts/panel.ts'
import { roleText, userMark } from '../parts/person.ts'
import { table } from '../parts/table.ts'
import { correctionForm, type Held } from '../people/correction.ts'

import { asSent, type RefusedForm } from './as-sent.ts'
import { clientText } from './client-text.ts'
import { type FormsOf, type UserForms, userForms } from './forms.ts'
import { signInAgain } from './sign-in-again.ts'

export interface UserPage extends FormsOf {
  /** Whether their calendar has an address. */
  readonly hasCalendar: boolean
  /** Whether people can sign in at a provider. */
  readonly hasProvider: boolean
  readonly invitation?: string
  readonly calendar?: string
  readonly secret?: string
  readonly sent?: RefusedForm
  readonly sessions: readonly UserSession[]
  /** The id of the session that shows this page. */
  readonly currentSession: string | null
  readonly keys: readonly ApiKey[]
  /** For admins: the users who may get what this one looks after. */
  readonly people: Held['people']
  readonly identities: readonly Identity[]
  readonly now: string
}

export function userPage(page: UserPage): Markup {
  const { user, isSelf, addresses } = page
  const { forms, refused } = asSent(userForms(page), page.sent)
  const work = isSelf ? say('My deals and tasks') : say('Deals and tasks')
  const head = pageHead({
    crumbs: crumb(addresses.users, say('Users')),
    title: user.fullName ?? user.name,
    marks: [userMark(user), ' ', roleText(user.role)],
    beside: html`<p><a class="button" href="${addresses.person(user.name)}">${work}</a></p>`,
  })
  const profile = panel('profile', isSelf ? say('My profile') : say('Profile'), framedForm(forms.edit, 'edit-form'))
  const ending = html`<p class="quiet">${say('A new password ends all sessions.')}</p>`
  const password = panel('password', say('Password'), [ending, framedForm(forms.password, 'password-form')])
  return html`${head}${refused && refusedNotice(refused)}${signInAgain(page)}${onceMarkup(page)}<div class="columns">
<div>
${profile}${calendarPanel(page, forms)}</div>
<div>
${panel('facts', say('Details'), userDetails(page))}${password}${page.isAdmin && adminPanel(page, forms)}</div>
</div>
${sessionsPanel(page)}${keysPanel(page, forms)}`
}

/** Values that are shown only once. */
function onceMarkup({ invitation, calendar, secret }: UserPage): readonly (Markup | undefined)[] {
  const shown = (title: Text, text: Text, value: string | undefined): Markup | undefined =>
    value === undefined ? undefined : panel('once', title, [html`<p>${text}</p>`, copied(value)])
  return [
    shown(
      say('The invitation'),
      say('Send this link to them. It works once, for seven days, and is shown only here.'),
      invitation,
    ),
    shown(
      say('The address of your calendar'),
      say(
        'Paste it into your calendar under “Subscribe to a calendar” or “From URL”. Anyone who has it can read your tasks and deals with dates; it is shown only here.',
      ),
      calendar,
    ),
    shown(say('The key'), say('It is shown only once. Programs send it as a Bearer token.'), secret),
  ]
}

function calendarPanel({ isSelf, hasCalendar }: UserPage, forms: UserForms): Markup {
  const about = isSelf
    ? say(
        'Your calendar on a phone or computer can show your open tasks and deals with a date, and follows every change. Create an address, copy it and subscribe to it there. A new address replaces the previous one.',
      )
    : say('Only the user can create an address; you can revoke it here.')
  const open = isSelf && framedForm(forms.openCalendar, 'calendar-form')
  const revoke = hasCalendar && framedForm(forms.revokeCalendar, 'revoke-form', { danger: true })
  return panel('calendar', say('Calendar'), html`<p>${about}</p>\n<div class="send">${open}${revoke}</div>`)
}

function adminPanel({ isSelf, user, hasProvider, people, addresses }: UserPage, forms: UserForms): Markup {
  const confirm = addresses.confirmation({ name: 'user' }, user.name, 'remove')
  const linking = say('To link a person who has another name at the provider, enter their subject there.')
  const provider = html`<h3>${say('Provider')}</h3><p>${linking}</p>${framedForm(forms.link, 'link-form')}\n`
  const removal = html`<h3>${say('Remove')}</h3>${framedForm(forms.remove, 'remove-form', { confirm })}`
  const invitation = say('An invitation is a one-time link with which the user sets a password.')
  const held = { name: user.name, people, back: `/users/${asSegment(user.name)}`, addresses }
  const leaving = say('All deals, tasks and other entries of this name, deleted ones too, get another user.')
  const handOver = html`<h3>${say('Hand over')}</h3><p>${leaving}</p>${correctionForm(held, 'hand-over-form', say('Hand over'))}\n`
  return panel(
    'admin',
    say('Administration'),
    html`<p>${invitation}</p>${framedForm(forms.invite, 'invite-form')}
${hasProvider && provider}${handOver}${!isSelf && removal}`,
  )
}

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
  const end = ({ id, client }: UserSession): Markup => {
    const what = say('End the session of {browser}', { browser: clientText(client) })
    return rowForm(`${addresses.ofUser(user.name, 'sessions', id)}/endings`, say('End|verb'), what)
  }
  const shown = table<UserSession>({
    id: 'sessions-caption',
    caption: say('Browsers that are signed in'),
    columns: [
      { head: say('Browser'), kind: 'brief', cell: ({ client }) => clientText(client) },
      { head: say('Address'), kind: 'wide', cell: ({ address }) => address ?? '' },
      {
        head: say('Last used'),
        cell: ({ id, seenAt }) => (id === currentSession ? say('this one') : agoMarkup(seenAt, time)),
      },
      { head: say('Signed in'), kind: 'wide', cell: ({ createdAt }) => agoMarkup(createdAt, time) },
      { head: say('End it'), cell: end },
    ],
    rows: sessions,
    none: say('No browser is signed in.'),
  })
  const action = addresses.ofUser(user.name, 'session-endings')
  const endAll = html`<form method="post" action="${action}" data-confirm="${say('Yes, end all')}">
<p><button type="submit" class="danger">${say('End all sessions')}</button></p></form>
`
  return panel('sessions', say('Sessions'), [shown, sessions.length > 0 && endAll])
}

function keysPanel({ user, keys, addresses }: UserPage, { newKey }: UserForms): Markup {
  const withdraw = ({ name }: ApiKey): Markup => {
    const action = `${addresses.ofUser(user.name, 'keys', name)}/withdrawals`
    return rowForm(action, say('Withdraw'), say('Withdraw the key {name}', { name }))
  }
  const shown = table<ApiKey>({
    id: 'keys-caption',
    caption: say('API keys of {name}', { name: user.name }),
    columns: [
      { head: say('Name'), cell: ({ name }) => name },
      { head: say('Role'), kind: 'wide', cell: ({ role }) => roleText(role) },
      { head: say('Ends'), cell: ({ endsAt }) => (endsAt === null ? say('never') : dayMarkup(endsAt)) },
      { head: say('Withdraw it'), cell: withdraw },
    ],
    rows: keys,
    none: say('No keys.'),
  })
  return panel('keys', say('API keys'), [shown, framedForm(newKey, 'key-form')])
}

const rowForm = (action: string, submit: Text, what: Text): Markup =>
  html`<form method="post" action="${action}">
<button type="submit" class="plain" aria-label="${what}">${submit}</button></form>`
