import { imported } from '../../model/customer/imported.ts'
import { operations } from '../../model/resources.ts'
import type { Parameter } from '../../queries/query-string.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { withParameter } from '../filters/filter-bar.ts'
import { framedForm } from '../page-forms/framed-form.ts'
import { type Detail, details } from '../parts/details.ts'
import { agoMarkup, instantMarkup } from '../parts/moment.ts'
import { orderLink } from '../parts/sorting.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'

export interface ShownDelivery {
  readonly id: string
  readonly number: number
  readonly type: string
  /** The id of the thing that the event is about. */
  readonly subject: string
  readonly status: 'pending' | 'delivered' | 'failed' | 'cancelled'
  readonly attempts: number
  readonly lastTryAt: string | null
  readonly responseStatus: number | null
  readonly duration: number | null
  readonly error: string | null
  readonly nextTryAt: string | null
  readonly createdAt: string
  /** The beginning of the receiver's answer. */
  readonly answer?: string | null
}

const kinds = { pending: 'soon', delivered: 'done', failed: 'off', cancelled: 'away' } as const
const deliveryMark = (status: ShownDelivery['status']): Markup =>
  html`<span class="mark ${kinds[status]}">${label(status)}</span>`

export interface DeliveriesPage {
  readonly webhook: CalledWebhook
  readonly deliveries: readonly ShownDelivery[]
  readonly parameters: readonly Parameter[]
  readonly links: PageLinks
  readonly now: string
  readonly addresses: Addresses
}

/** The webhook that is called. */
interface CalledWebhook {
  readonly id: string
  readonly url: string
}

/** The deliveries to one webhook. */
export function deliveriesPage({ webhook, deliveries, parameters, links, now, addresses }: DeliveriesPage): Markup {
  const address = `${addresses.webhook(webhook.id)}/deliveries`
  return html`<header class="head"><div><p class="crumbs">${crumbs(webhook, addresses)}</p><h1 id="deliveries">Deliveries</h1></div>
${statusSwitch(address, parameters)}
${orderLink(address, parameters, 'number')}</header>
${
  deliveries.length === 0
    ? html`<p class="empty">No deliveries match.</p>\n`
    : deliveryTable(deliveries, webhook.id, now, addresses)
}${pager(links)}`
}

function statusSwitch(address: string, parameters: readonly Parameter[]): Markup {
  const now = parameters.find(({ name }) => name === 'status')?.value
  const choice = (status: string | undefined): Markup => {
    const href = status === undefined ? address : withParameter(address, parameters, 'status', status)
    return html`<li><a href="${href}"${status === now && html` aria-current="true"`}>${label(status ?? 'all')}</a></li>`
  }
  return html`<nav aria-label="Status"><ul class="switch">${[undefined, ...Object.keys(kinds)].map(choice)}</ul></nav>`
}

const crumbs = ({ id, url }: CalledWebhook, addresses: Addresses): Markup =>
  html`<a href="${addresses.webhooks}">Webhooks</a> / <a href="${addresses.webhook(id)}">${url}</a>`

export function deliveryTable(
  deliveries: readonly ShownDelivery[],
  webhook: string,
  now: string,
  addresses: Addresses,
): Markup {
  return html`<div class="table" role="group" aria-labelledby="deliveries" tabindex="0"><table>
<thead><tr><th scope="col">Number</th><th scope="col">Type</th><th scope="col">Status</th><th scope="col" class="number">Tries</th><th scope="col">When</th></tr></thead>
<tbody>${deliveries.map(
    ({
      number,
      type,
      status,
      attempts,
      createdAt,
    }) => html`<tr><th scope="row"><a href="${addresses.delivery(webhook, number)}">${number}</a></th><td>${type}</td><td>${deliveryMark(
      status,
    )}</td><td class="number">${attempts}</td><td>${agoMarkup(createdAt, Date.parse(now))}</td></tr>
`,
  )}</tbody></table></div>
`
}

export interface DeliveryPage {
  readonly delivery: ShownDelivery
  /** The event that is sent. */
  readonly event: unknown
  readonly webhook: CalledWebhook
  readonly form: DocumentForm
  readonly addresses: Addresses
}

export function deliveryPage({ delivery, event, webhook, form, addresses }: DeliveryPage): Markup {
  const { id, number, type, subject, status, attempts, lastTryAt, responseStatus, duration, error, nextTryAt } =
    delivery
  const rows: readonly Detail[] = [
    ['Type', type],
    about(type, subject, addresses),
    ['Message id', html`<code>${id}</code>`],
    ['Tries', attempts],
    ['Last try', lastTryAt !== null && instantMarkup(lastTryAt)],
    ['Answer', responseStatus ?? false],
    ['Took', duration !== null && `${duration} ms`],
    ['Error', error ?? false],
    ['Next try', nextTryAt !== null && instantMarkup(nextTryAt)],
  ]
  return html`<header class="head"><div><p class="crumbs">${crumbs(webhook, addresses)} / <a href="${addresses.webhook(webhook.id)}/deliveries">Deliveries</a></p>
<h1>Delivery ${number}</h1><p class="marks">${deliveryMark(status)}</p></div></header>
<section class="panel" aria-labelledby="facts"><h2 id="facts">Details</h2>${details(rows)}${framedForm(form, 'again')}</section>
${shown('What is sent', event === undefined ? undefined : JSON.stringify(event, null, 2))}${shown('What came back', delivery.answer)}`
}

/** The thing that the event is about; one that is gone is named without a link, and an import is about none. */
function about(type: string, subject: string, addresses: Addresses): Detail {
  if (type === imported.words.event) return ['Import', subject]
  const operation = operations.find(({ words }) => words.event === type)
  if (operation === undefined) return ['About', subject]
  const { on, removes } = operation
  return [label(on.name), removes ? subject : html`<a href="${addresses.thing(on, subject)}">${subject}</a>`]
}

const shown = (title: string, text: string | null | undefined): Markup | false =>
  text !== undefined &&
  text !== null &&
  text !== '' &&
  html`<section class="panel" aria-label="${title}"><h2>${title}</h2><pre tabindex="0"><code>${text}</code></pre></section>
`
