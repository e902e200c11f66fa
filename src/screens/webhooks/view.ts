import type { Addresses } from '../../http/contract/addresses.ts'
import type { PageLinks } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { Webhook } from '../../model/nouns/webhook/webhook.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { pager } from '../../representations/html/table.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import type { ReceiverHealth } from '../../store/port/webhook-store.ts'
import { errorText, stateMark, stateText } from '../deliveries/receiver-state.ts'
import { type ShownTry, tryPanel } from '../deliveries/try-panel.ts'
import { deliveryTable, type ShownDelivery } from '../deliveries/view.ts'
import { framedForm } from '../forms/framed-form.ts'
import { agoMarkup, instantMarkup } from '../parts/moment.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { copied, details, panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'

export interface ShownWebhook extends Webhook {
  /** Only in the answer that creates it. */
  readonly secret?: string
}

export interface WebhooksPage {
  /** The form for a new one. */
  readonly creation: Markup
  readonly webhooks: readonly ShownWebhook[]
  readonly health: ReadonlyMap<string, ReceiverHealth>
  readonly links: PageLinks
  readonly now: string
  readonly addresses: Addresses
}

/** The list of webhooks. */
export function webhooksPage({ creation, webhooks, health, links, now, addresses }: WebhooksPage): Markup {
  const time = Date.parse(now)
  const head = pageHead({
    title: say('Webhooks'),
    about: say('Every event is sent to these addresses, signed, and retried until they answer.'),
    beside: creation,
  })
  const state = (webhook: ShownWebhook): Hole => {
    const itsHealth = health.get(webhook.id)
    return [stateMark(webhook, itsHealth), ' ', html`<span class="quiet">${stateText(webhook, itsHealth, time)}</span>`]
  }
  const shown = table({
    id: 'webhooks-caption',
    caption: say('{count} webhooks shown', { count: webhooks.length }),
    columns: [
      { head: say('Address'), cell: ({ id, url }) => crumb(addresses.webhook(id), url) },
      { head: say('Status'), cell: state },
      { head: say('Events'), kind: 'wide', cell: typesText },
      { head: say('Created'), kind: 'wide', cell: ({ createdAt }) => agoMarkup(createdAt, time) },
    ],
    rows: webhooks,
    none: say('No webhooks yet. Add a URL to receive events.'),
  })
  return html`${head}${shown}${pager(links)}`
}

const typesText = ({ types }: ShownWebhook): Markup =>
  types === null
    ? html`${say('all|events')}`
    : html`${types.map((type, at) => html`${at > 0 && ', '}<code>${type}</code>`)}`

export interface WebhookPage {
  readonly webhook: ShownWebhook
  readonly health: ReceiverHealth | undefined
  /** A test event that was just sent. */
  readonly test: ShownTry | undefined
  /** Latest first. */
  readonly deliveries: readonly ShownDelivery[]
  readonly forms: readonly DocumentForm[]
  /** The form to change it; undefined once it has ended. */
  readonly change: Markup | undefined
  readonly now: string
  readonly addresses: Addresses
}

export function webhookPage({ webhook, health, test, deliveries, forms, change, now, addresses }: WebhookPage): Markup {
  const { id, url, secret } = webhook
  const said = stateText(webhook, health, Date.parse(now))
  const head = pageHead({
    crumbs: crumb(addresses.webhooks, say('Webhooks')),
    title: url,
    marks: [stateMark(webhook, health), said && html` <span class="quiet">${said}</span>`],
  })
  const latest = deliveryTable('latest-title', deliveries, say('No deliveries yet.'), id, now, addresses)
  const all = html`<p><a href="${addresses.webhook(id)}/deliveries">${say('All deliveries')}</a></p>`
  const confirm = addresses.confirmation({ name: 'webhook' }, id, 'remove')
  const changes = forms.map((form, at) =>
    framedForm(form, `change-${at + 1}`, form.action.endsWith('/removals') ? { confirm } : { plain: at > 0 }),
  )
  return html`${head}${secret !== undefined && secretPanel(secret)}${test && tryPanel(test, say('Test event'), 'test')}
<div class="columns">
${panel('latest', say('Latest deliveries'), [latest, all])}<div>
${panel('facts', say('Details'), webhookDetails(webhook, health))}${panel(
  'change',
  say('What you can do'),
  html`<div class="send">${changes}</div>${
    change && html`<details><summary>${say('Change')}</summary>${change}</details>`
  }`,
)}</div>
</div>
`
}

function secretPanel(secret: string): Markup {
  const about = say('It is shown only once. The receiver checks the signature of every call with it.')
  return panel('secret', say('The secret'), html`<p>${about}</p>${copied(secret)}`)
}

const webhookDetails = (webhook: ShownWebhook, health: ReceiverHealth | undefined): Markup => {
  const { createdAt, endedBecause, previousSecretUntil, where, changed, owner } = webhook
  return details([
    [say('Events'), typesText(webhook)],
    [say('Only if'), where !== null && html`<code>${where}</code>`],
    [say('Only if one of these fields changes'), changed !== null && html`<code>${changed.join(', ')}</code>`],
    [say('Created by'), owner ?? false],
    [say('Waiting deliveries'), health?.waiting ?? false],
    [say('Created'), instantMarkup(createdAt)],
    [say('Ended|webhook'), endedBecause === null ? false : errorText(endedBecause)],
    [say('Previous secret valid until'), previousSecretUntil !== null && instantMarkup(previousSecretUntil)],
  ])
}
