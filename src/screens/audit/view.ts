import type { Addresses } from '../../http/contract/addresses.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { instantText } from '../../languages/formats.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { type AuditEntry, auditEvents } from '../../model/nouns/audit/record.ts'
import { escapeHtml, html, Markup } from '../../representations/markup/markup.ts'
import { instantMarkup } from '../parts/moment.ts'
import { crumb } from '../parts/page-head.ts'
import type { Screen } from '../parts/screen.ts'
import type { Column } from '../parts/table.ts'
import { tableList } from '../table-list/view.ts'

/** Events of users, keys and sessions, latest first. */
export function showAudit(list: ShownList, { service, desk }: Call): Screen {
  const entries = Array.from(list.items, (json) => JSON.parse(json) as AuditEntry)
  const { addresses } = service
  const page = tableList({
    crumbs: crumb(addresses.users, say('Users')),
    title: say('Audit'),
    about: say('Sign-ins, and changes of users, keys and sessions.'),
    list,
    address: addresses.audit,
    caption: say('{count} entries shown', { count: entries.length }),
    columns: columns(auditEvents(desk.schema), addresses),
    rows: entries,
    none: say('Nothing yet.'),
  })
  return () => page
}

/** The detail is as recorded: a role, a browser, the reason of a refusal. Only times are the reader's. */
const columns = (titles: ReadonlyMap<string, string>, addresses: Addresses): readonly Column<AuditEntry>[] => [
  { head: say('When'), cell: ({ at }) => instantMarkup(at) },
  { head: say('What happened'), cell: ({ event }) => say(titles.get(event) ?? event), isName: true },
  { head: say('User'), cell: ({ user }) => user !== null && userLink(user, addresses) },
  {
    head: say('By whom'),
    cell: ({ actor, actorKey }) => [actor ?? '', actorKey !== null && html` <small>(${actorKey})</small>`],
  },
  { head: say('Address'), kind: 'wide', cell: ({ address }) => address ?? '' },
  { head: say('More'), kind: 'wide', cell: ({ key, detail }) => html`<code>${moreText(key, detail)}</code>` },
]

/** A user who was removed has no page. */
const userLink = (name: string, addresses: Addresses): Markup =>
  Markup.written((reader) =>
    reader.isUser?.(name) === true ? crumb(addresses.user(name), name).for(reader) : escapeHtml(name),
  )

const moreText =
  (key: string | null, detail: string | null): Text =>
  (reader) =>
    [key, detail?.replace(INSTANT, (at) => instantText(at)(reader)) ?? null].filter((each) => each !== null).join(' ')

const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
