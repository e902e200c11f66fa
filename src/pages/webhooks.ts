import type { DocumentForm } from '../representations/document.ts'
import { html, type Markup } from '../representations/html/markup.ts'
import { pager } from '../representations/html/table.ts'
import { foldedForm, framedForm } from './framed-form.ts'
import { agoMarkup, instantMarkup, plural } from './moment.ts'
import type { Places } from './places.ts'

export interface ShownWebhook {
  readonly id: string
  readonly url: string
  readonly types: readonly string[] | null
  readonly status: 'active' | 'ended'
  readonly endedAt: string | null
  readonly endedBecause: string | null
  readonly previousSecretUntil: string | null
  readonly createdAt: string
  readonly revision: number
  /** Only where it was just made. */
  readonly secret?: string
}

export interface ShownDelivery {
  readonly id: string
  readonly number: number
  readonly type: string
  readonly deal: string
  readonly status: 'pending' | 'delivered' | 'failed' | 'cancelled'
  readonly attempts: number
  readonly lastTryAt: string | null
  readonly responseStatus: number | null
  readonly duration: number | null
  readonly error: string | null
  readonly nextTryAt: string | null
  readonly createdAt: string
  readonly event?: unknown
  readonly answer?: unknown
}

export interface WebhooksPage {
  readonly webhooks: readonly ShownWebhook[]
  readonly creation: DocumentForm
  readonly links: { readonly [relation: string]: string }
  readonly now: string
  readonly places: Places
}

/** Who is called when something happens. */
export function webhooksPage({ webhooks, creation, links, now, places }: WebhooksPage): Markup {
  return html`<header class="head"><div><h1>Webhooks</h1><p class="quiet">Addresses that are called with every event, signed, until they answer.</p></div>
${foldedForm(creation, 'New webhook')}</header>
${
  webhooks.length === 0
    ? html`<p class="empty">Nobody is called.</p>\n`
    : html`<section class="table" aria-labelledby="webhooks-caption" tabindex="0"><table>
<caption id="webhooks-caption">${plural(webhooks.length, 'webhook')} shown</caption>
<thead><tr><th scope="col">Address</th><th scope="col">Status</th><th scope="col" class="wide">Types</th><th scope="col" class="wide">Since</th></tr></thead>
<tbody>${webhooks.map(
        (
          webhook,
        ) => html`<tr><th scope="row"><a href="${places.webhook(webhook.id)}">${webhook.url}</a></th><td>${statusMark(
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
  readonly places: Places
}

export function webhookPage({ webhook, deliveries, forms, now, places }: WebhookPage): Markup {
  const { id, url, secret, endedBecause, previousSecretUntil, createdAt } = webhook
  return html`<header class="head"><div><p class="crumbs"><a href="${places.webhooks}">Webhooks</a></p><h1>${url}</h1><p class="marks">${statusMark(
    webhook,
  )}</p></div></header>
${
  secret !== undefined &&
  html`<section class="panel" aria-labelledby="secret"><h2 id="secret">The secret</h2><p>It is shown this once. The receiver checks the signature of every call with it.</p><div class="codes"><div><pre data-copy tabindex="0"><code>${secret}</code></pre></div></div></section>
`
}<div class="columns">
<section class="panel" aria-labelledby="deliveries"><h2 id="deliveries">Latest deliveries</h2>
${deliveries.length === 0 ? html`<p class="empty">Nothing was to be delivered yet.</p>` : deliveryTable(deliveries, id, now, places)}
<p><a href="${places.webhook(id)}/deliveries">All deliveries</a></p></section>
<div><section class="panel" aria-labelledby="facts"><h2 id="facts">Facts</h2><dl class="facts"><dt>Types</dt><dd>${typesText(
    webhook,
  )}</dd><dt>Made</dt><dd>${instantMarkup(createdAt)}</dd>${
    endedBecause !== null && html`<dt>Ended</dt><dd>${endedBecause}</dd>`
  }${previousSecretUntil !== null && html`<dt>Secret before, until</dt><dd>${instantMarkup(previousSecretUntil)}</dd>`}</dl></section>
<section class="panel" aria-labelledby="change"><h2 id="change">What you can do</h2>${forms.map((form, at) =>
    framedForm(form, `change-${at + 1}`, { danger: form.action.endsWith('/removals') }),
  )}</section></div>
</div>
`
}

function deliveryTable(deliveries: readonly ShownDelivery[], webhook: string, now: string, places: Places): Markup {
  return html`<div class="table" role="group" aria-labelledby="deliveries" tabindex="0"><table>
<thead><tr><th scope="col">Number</th><th scope="col">Type</th><th scope="col">Status</th><th scope="col" class="number">Tries</th><th scope="col">When</th></tr></thead>
<tbody>${deliveries.map(
    ({
      number,
      type,
      status,
      attempts,
      createdAt,
    }) => html`<tr><th scope="row"><a href="${places.delivery(webhook, number)}">${number}</a></th><td>${type}</td><td>${deliveryMark(
      status,
    )}</td><td class="number">${attempts}</td><td>${agoMarkup(createdAt, Date.parse(now))}</td></tr>
`,
  )}</tbody></table></div>
`
}

const kinds = { pending: 'soon', delivered: 'done', failed: 'off', cancelled: 'away' } as const
const deliveryMark = (status: ShownDelivery['status']): Markup =>
  html`<span class="mark ${kinds[status]}">${status}</span>`

export interface DeliveryPage {
  readonly delivery: ShownDelivery
  readonly webhook: { readonly id: string; readonly url: string }
  readonly form: DocumentForm
  readonly places: Places
}

export function deliveryPage({ delivery, webhook, form, places }: DeliveryPage): Markup {
  const { id, number, type, deal, status, attempts, lastTryAt, responseStatus, duration, error, nextTryAt } = delivery
  const rows: readonly (readonly [string, Markup | string | number | false])[] = [
    ['Type', type],
    ['Deal', html`<a href="${places.deal(deal)}">${deal}</a>`],
    ['Message id', html`<code>${id}</code>`],
    ['Tries', attempts],
    ['Last try', lastTryAt !== null && instantMarkup(lastTryAt)],
    ['Answer', responseStatus ?? false],
    ['Took', duration !== null && `${duration} ms`],
    ['Error', error ?? false],
    ['Next try', nextTryAt !== null && instantMarkup(nextTryAt)],
  ]
  return html`<header class="head"><div><p class="crumbs"><a href="${places.webhooks}">Webhooks</a> / <a href="${places.webhook(webhook.id)}">${webhook.url}</a></p><h1>Delivery ${number}</h1><p class="marks">${deliveryMark(
    status,
  )}</p></div></header>
<section class="panel" aria-labelledby="facts"><h2 id="facts">Facts</h2><dl class="facts">${rows.map(
    ([name, value]) => value !== false && html`<dt>${name}</dt><dd>${value}</dd>`,
  )}</dl>${framedForm(form, 'again')}</section>
${[['What was sent', delivery.event] as const, ['What came back', delivery.answer] as const].map(
  ([title, value]) =>
    value !== undefined &&
    value !== null &&
    html`<section class="panel" aria-label="${title}"><h2>${title}</h2><pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre></section>
`,
)}`
}
