import { instantText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { type AuditEntry, auditEvents } from '../../model/managed/audit.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { instantMarkup } from '../parts/moment.ts'
import type { Addresses, ShownList, View, Visit } from '../parts/visit.ts'

/** What happened to users, keys and sessions, latest first. */
export function showAudit(list: ShownList, { service, desk }: Visit): View {
  const entries = Array.from(list.items, (json) => JSON.parse(json) as AuditEntry)
  return () => auditPage(entries, list, auditEvents(desk.schema), service.addresses)
}

function auditPage(
  entries: readonly AuditEntry[],
  { links, hasMore }: ShownList,
  titles: ReadonlyMap<string, string>,
  addresses: Addresses,
): Markup {
  const shown = say('{count} entries shown', { count: entries.length })
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.users}">${say('Users')}</a></p><h1>${say('Audit')}</h1><p class="quiet">${say('Sign-ins, and changes of users, keys and sessions.')}</p></div></header>
${
  entries.length === 0
    ? html`<p class="empty">${say('Nothing yet.')}</p>\n`
    : html`<div class="table" role="group" aria-labelledby="audit-caption" tabindex="0"><table>
<caption id="audit-caption">${shown}${hasMore && html`, ${say('more follow')}`}</caption>
<thead><tr><th scope="col">${say('When')}</th><th scope="col">${say('What happened')}</th><th scope="col">${say('User')}</th><th scope="col">${say('By whom')}</th><th scope="col" class="wide">${say('Address')}</th><th scope="col" class="wide">${say('More')}</th></tr></thead>
<tbody>${entries.map((entry) => row(entry, say(titles.get(entry.event) ?? entry.event), addresses))}</tbody></table></div>
`
}${pager(links)}`
}

/** The detail is as it was recorded: a role, a browser, why somebody was refused. Only times are the reader's. */
const row = (
  { at, user, actor, actorKey, key, address, detail }: AuditEntry,
  title: Text,
  addresses: Addresses,
): Markup =>
  html`<tr><td>${instantMarkup(at)}</td><th scope="row">${title}</th><td>${user !== null && html`<a href="${addresses.user(user)}">${user}</a>`}</td><td>${actor ?? ''}${actorKey !== null && html` <small>(${actorKey})</small>`}</td><td class="wide">${address ?? ''}</td><td class="wide"><code>${moreText(key, detail)}</code></td></tr>
`

const moreText =
  (key: string | null, detail: string | null): Text =>
  (reader) =>
    [key, detail?.replace(INSTANT, (at) => instantText(at)(reader)) ?? null].filter((each) => each !== null).join(' ')

const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
