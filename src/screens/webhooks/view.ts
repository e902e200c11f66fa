import { say } from '../../languages/say.ts'
import type { Schema } from '../../model/schema.ts'
import type { Webhook } from '../../model/webhook/webhook.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import type { ReceiverHealth } from '../../store/port/webhook-store.ts'
import { errorText, stateMark, stateText } from '../deliveries/receiver-state.ts'
import { type ShownTry, tryPanel } from '../deliveries/try-panel.ts'
import { deliveryTable, type ShownDelivery } from '../deliveries/view.ts'
import { framedForm } from '../page-forms/framed-form.ts'
import { agoMarkup, instantMarkup } from '../parts/moment.ts'
import { details } from '../parts/panel.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'
import { webhookForm } from './creation-form.ts'

export interface ShownWebhook extends Webhook {
  /** Only in the answer that creates it. */
  readonly secret?: string
}

export interface WebhooksPage {
  readonly schema: Schema
  readonly webhooks: readonly ShownWebhook[]
  readonly health: ReadonlyMap<string, ReceiverHealth>
  readonly links: PageLinks
  readonly now: string
  readonly addresses: Addresses
}

/** The list of webhooks. */
export function webhooksPage({ schema, webhooks, health, links, now, addresses }: WebhooksPage): Markup {
  const time = Date.parse(now)
  return html`<header class="head"><div><h1>${say('Webhooks')}</h1><p class="quiet">${say(
    'Every event is sent to these addresses, signed, and retried until they answer.',
  )}</p></div>
${webhookForm(addresses.webhooks, schema)}</header>
${
  webhooks.length === 0
    ? html`<p class="empty">${say('No webhooks yet. Add an address to receive every event.')}</p>\n`
    : html`<div class="table" role="group" aria-labelledby="webhooks-caption" tabindex="0"><table>
<caption id="webhooks-caption">${say('{count} webhooks shown', { count: webhooks.length })}</caption>
<thead><tr><th scope="col">${say('Address')}</th><th scope="col">${say('Status')}</th><th scope="col" class="wide">${say('Events')}</th><th scope="col" class="wide">${say('Created')}</th></tr></thead>
<tbody>${webhooks.map(
        (webhook) =>
          html`<tr><th scope="row"><a href="${addresses.webhook(webhook.id)}">${webhook.url}</a></th><td>${stateMark(webhook, health.get(webhook.id))} <span class="quiet">${stateText(
            webhook,
            health.get(webhook.id),
            time,
          )}</span></td><td class="wide">${typesText(webhook)}</td><td class="wide">${agoMarkup(webhook.createdAt, time)}</td></tr>
`,
      )}</tbody></table></div>
`
}${pager(links)}`
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
  readonly now: string
  readonly addresses: Addresses
}

export function webhookPage({ webhook, health, test, deliveries, forms, now, addresses }: WebhookPage): Markup {
  const { id, url, secret, endedBecause, previousSecretUntil, createdAt } = webhook
  const said = stateText(webhook, health, Date.parse(now))
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.webhooks}">${say('Webhooks')}</a></p><h1>${url}</h1><p class="marks">${stateMark(
    webhook,
    health,
  )}${said && html` <span class="quiet">${said}</span>`}</p></div></header>
${
  secret !== undefined &&
  html`<section class="panel" aria-labelledby="secret"><h2 id="secret">${say('The secret')}</h2><p>${say(
    'It is shown only once. The receiver checks the signature of every call with it.',
  )}</p><div class="codes"><div><pre data-copy tabindex="0"><code>${secret}</code></pre></div></div></section>
`
}${test && tryPanel(test, say('Test event'), 'test')}<div class="columns">
<section class="panel" aria-labelledby="deliveries"><h2 id="deliveries">${say('Latest deliveries')}</h2>
${deliveries.length === 0 ? html`<p class="empty">${say('No deliveries yet.')}</p>` : deliveryTable(deliveries, id, now, addresses)}
<p><a href="${addresses.webhook(id)}/deliveries">${say('All deliveries')}</a></p></section>
<div><section class="panel" aria-labelledby="facts"><h2 id="facts">${say('Details')}</h2>${details([
    [say('Events'), typesText(webhook)],
    [say('Waiting deliveries'), health?.waiting ?? false],
    [say('Created'), instantMarkup(createdAt)],
    [say('Ended|webhook'), endedBecause === null ? false : errorText(endedBecause)],
    [say('Previous secret valid until'), previousSecretUntil !== null && instantMarkup(previousSecretUntil)],
  ])}</section>
<section class="panel" aria-labelledby="change"><h2 id="change">${say('What you can do')}</h2><div class="send">${forms.map(
    (form, at) =>
      framedForm(
        form,
        `change-${at + 1}`,
        form.action.endsWith('/removals')
          ? { confirm: addresses.confirmation({ name: 'webhook' }, id, 'remove') }
          : { plain: at > 0 },
      ),
  )}</div></section></div>
</div>
`
}
