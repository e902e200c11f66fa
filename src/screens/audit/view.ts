import { instantText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { AuditEntry, AuditEvent } from '../../model/user/audit.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { instantMarkup } from '../parts/moment.ts'
import type { Addresses, ShownList, View, Visit } from '../parts/visit.ts'

/** What happened to users, keys and sessions, latest first. */
export function showAudit(list: ShownList, { service }: Visit): View {
  const entries = Array.from(list.items, (json) => JSON.parse(json) as AuditEntry)
  return () => auditPage(entries, list, service.addresses)
}

function auditPage(entries: readonly AuditEntry[], { links, hasMore }: ShownList, addresses: Addresses): Markup {
  const shown = say('{count} entries shown', { count: entries.length })
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.users}">${say('Users')}</a></p><h1>${say('Audit')}</h1><p class="quiet">${say('Who signed in, and what was changed about users, keys and sessions.')}</p></div></header>
${
  entries.length === 0
    ? html`<p class="empty">${say('Nothing yet.')}</p>\n`
    : html`<div class="table" role="group" aria-labelledby="audit-caption" tabindex="0"><table>
<caption id="audit-caption">${shown}${hasMore && html`, ${say('more follow')}`}</caption>
<thead><tr><th scope="col">${say('When')}</th><th scope="col">${say('What happened')}</th><th scope="col">${say('User')}</th><th scope="col">${say('By whom')}</th><th scope="col" class="wide">${say('Address')}</th><th scope="col" class="wide">${say('More')}</th></tr></thead>
<tbody>${entries.map((entry) => row(entry, addresses))}</tbody></table></div>
`
}${pager(links)}`
}

/** The detail is as it was recorded: a role, a browser, why somebody was refused. Only times are the reader's. */
const row = ({ at, event, user, actor, actorKey, key, address, detail }: AuditEntry, addresses: Addresses): Markup =>
  html`<tr><td>${instantMarkup(at)}</td><th scope="row">${texts[event]}</th><td>${user !== null && html`<a href="${addresses.user(user)}">${user}</a>`}</td><td>${actor ?? ''}${actorKey !== null && html` <small>(${actorKey})</small>`}</td><td class="wide">${address ?? ''}</td><td class="wide"><code>${moreText(key, detail)}</code></td></tr>
`

const moreText =
  (key: string | null, detail: string | null): Text =>
  (reader) =>
    [key, detail?.replace(INSTANT, (at) => instantText(at)(reader)) ?? null].filter((each) => each !== null).join(' ')

const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g

const texts: Readonly<Record<AuditEvent, Text>> = {
  'set-up': say('Service set up'),
  'sign-in': say('Signed in'),
  'sign-in-failed': say('Sign-in failed'),
  'sign-out': say('Signed out'),
  'session-ended': say('Session ended'),
  'sessions-ended': say('All sessions ended'),
  'user-created': say('User added'),
  'user-changed': say('User changed'),
  'role-changed': say('Role changed'),
  'user-disabled': say('User disabled'),
  'user-enabled': say('User enabled'),
  'user-removed': say('User removed'),
  'user-linked': say('Linked to the provider'),
  'password-set': say('Password set'),
  'user-invited': say('User invited'),
  'invitation-accepted': say('Invitation accepted'),
  'key-made': say('Key made'),
  'key-withdrawn': say('Key withdrawn'),
  'calendar-opened': say('Calendar address made'),
  'calendar-revoked': say('Calendar address revoked'),
}
