import { say } from '../../languages/say.ts'
import type { Webhook } from '../../model/webhook/webhook.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { deliveryTable, type ShownDelivery } from '../deliveries/view.ts'
import { foldedForm, framedForm } from '../page-forms/framed-form.ts'
import { details } from '../parts/details.ts'
import { agoMarkup, instantMarkup } from '../parts/moment.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'

export interface ShownWebhook extends Webhook {
  /** Only in the answer that creates it. */
  readonly secret?: string
}

export interface WebhooksPage {
  readonly webhooks: readonly ShownWebhook[]
  readonly creation: DocumentForm
  readonly links: PageLinks
  readonly now: string
  readonly addresses: Addresses
}

/** The list of webhooks. */
export function webhooksPage({ webhooks, creation, links, now, addresses }: WebhooksPage): Markup {
  return html`<header class="head"><div><h1>Webhooks</h1><p class="quiet">Every event is sent to these addresses, signed, and sent again until they answer.</p></div>
${foldedForm(creation, 'New webhook')}</header>
${
  webhooks.length === 0
    ? html`<p class="empty">No webhooks yet.</p>\n`
    : html`<section class="table" aria-labelledby="webhooks-caption" tabindex="0"><table>
<caption id="webhooks-caption">${say('{count} webhooks shown', { count: webhooks.length })}</caption>
<thead><tr><th scope="col">Address</th><th scope="col">Status</th><th scope="col" class="wide">Types</th><th scope="col" class="wide">Created</th></tr></thead>
<tbody>${webhooks.map(
        (
          webhook,
        ) => html`<tr><th scope="row"><a href="${addresses.webhook(webhook.id)}">${webhook.url}</a></th><td>${statusMark(
          webhook,
        )}</td><td class="wide">${typesText(webhook)}</td><td class="wide">${agoMarkup(webhook.createdAt, Date.parse(now))}</td></tr>
`,
      )}</tbody></table></section>
`
}${pager(links)}`
}

const statusMark = ({ status }: ShownWebhook): Markup =>
  status === 'active' ? html`<span class="mark done">Active</span>` : html`<span class="mark off">Ended</span>`

const typesText = ({ types }: ShownWebhook): string => types?.join(', ') ?? 'all'

export interface WebhookPage {
  readonly webhook: ShownWebhook
  /** Latest first. */
  readonly deliveries: readonly ShownDelivery[]
  readonly forms: readonly DocumentForm[]
  readonly now: string
  readonly addresses: Addresses
}

export function webhookPage({ webhook, deliveries, forms, now, addresses }: WebhookPage): Markup {
  const { id, url, secret, endedBecause, previousSecretUntil, createdAt } = webhook
  return html`<header class="head"><div><p class="crumbs"><a href="${addresses.webhooks}">Webhooks</a></p><h1>${url}</h1><p class="marks">${statusMark(
    webhook,
  )}</p></div></header>
${
  secret !== undefined &&
  html`<section class="panel" aria-labelledby="secret"><h2 id="secret">The secret</h2><p>It is shown only once. The receiver checks the signature of every call with it.</p><div class="codes"><div><pre data-copy tabindex="0"><code>${secret}</code></pre></div></div></section>
`
}<div class="columns">
<section class="panel" aria-labelledby="deliveries"><h2 id="deliveries">Latest deliveries</h2>
${deliveries.length === 0 ? html`<p class="empty">No deliveries yet.</p>` : deliveryTable(deliveries, id, now, addresses)}
<p><a href="${addresses.webhook(id)}/deliveries">All deliveries</a></p></section>
<div><section class="panel" aria-labelledby="facts"><h2 id="facts">Details</h2>${details([
    ['Types', typesText(webhook)],
    ['Created', instantMarkup(createdAt)],
    ['Ended', endedBecause ?? false],
    ['Previous secret valid until', previousSecretUntil !== null && instantMarkup(previousSecretUntil)],
  ])}</section>
<section class="panel" aria-labelledby="change"><h2 id="change">What you can do</h2>${forms.map((form, at) =>
    framedForm(form, `change-${at + 1}`, { danger: form.action.endsWith('/removals') }),
  )}</section></div>
</div>
`
}
