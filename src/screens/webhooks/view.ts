import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import type { Webhook } from '../../model/nouns/webhook/webhook.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { html, type Markup } from '../../representations/markup/markup.ts'
import type { ReceiverHealth } from '../../store/port/webhook-store.ts'
import { errorText, stateMark, stateText } from '../deliveries/receiver-state.ts'
import { type ShownTry, tryPanel } from '../deliveries/try-panel.ts'
import { deliveryColumns, type ShownDelivery } from '../deliveries/view.ts'
import { framedForm } from '../forms/framed-form.ts'
import { instantMarkup } from '../parts/moment.ts'
import { crumb, pageHead } from '../parts/page-head.ts'
import { copied, details, panel } from '../parts/panel.ts'
import { table } from '../parts/table.ts'

export interface ShownWebhook extends Webhook {
  /** Only in the answer that creates it. */
  readonly secret?: string
}

export const typesText = ({ types }: ShownWebhook): Markup =>
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
  const latest = table({
    id: 'latest-title',
    columns: deliveryColumns(id, now, addresses),
    rows: deliveries,
    none: say('No deliveries yet.'),
  })
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
