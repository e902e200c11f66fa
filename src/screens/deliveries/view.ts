import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import { imported } from '../../model/customer/imported.ts'
import type { Operation, Schema } from '../../model/schema.ts'
import type { Parameter } from '../../queries/query-string.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { withParameter } from '../filters/filter-bar.ts'
import { orderLink } from '../filters/sorting.ts'
import { framedForm } from '../page-forms/framed-form.ts'
import { agoMarkup, instantMarkup } from '../parts/moment.ts'
import { type Detail, details } from '../parts/panel.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'
import { errorText } from './receiver-state.ts'
import { type ShownTry, tryPanel } from './try-panel.ts'

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
const statuses = Object.keys(kinds) as readonly ShownDelivery['status'][]
const deliveryMark = (status: ShownDelivery['status']): Markup =>
  html`<span class="mark ${kinds[status]}">${statusText(status)}</span>`

function statusText(status: ShownDelivery['status']): Text {
  switch (status) {
    case 'pending':
      return say('Pending')
    case 'delivered':
      return say('Delivered')
    case 'failed':
      return say('Failed')
    case 'cancelled':
      return say('Cancelled|delivery')
  }
}

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
  return html`<header class="head"><div><p class="crumbs">${crumbs(webhook, addresses)}</p><h1 id="deliveries">${say('Deliveries')}</h1></div>
${statusSwitch(address, parameters)}
${deliveries.length > 1 && orderLink(address, parameters, 'number')}</header>
${
  deliveries.length === 0
    ? html`<p class="empty">${parameters.some(({ name }) => name === 'status') ? say('No deliveries match.') : say('No deliveries yet.')}</p>\n`
    : deliveryTable(deliveries, webhook.id, now, addresses)
}${pager(links)}`
}

function statusSwitch(address: string, parameters: readonly Parameter[]): Markup {
  const now = parameters.find(({ name }) => name === 'status')?.value
  const choice = (status: ShownDelivery['status'] | undefined): Markup => {
    const href = status === undefined ? address : withParameter(address, parameters, 'status')(status)
    return html`<li><a href="${href}"${status === now && html` aria-current="true"`}>${status === undefined ? say('All|deliveries') : statusText(status)}</a></li>`
  }
  return html`<nav aria-label="${say('Status')}"><ul class="switch">${[undefined, ...statuses].map(choice)}</ul></nav>`
}

const crumbs = ({ id, url }: CalledWebhook, addresses: Addresses): Markup =>
  html`<a href="${addresses.webhooks}">${say('Webhooks')}</a> / <a href="${addresses.webhook(id)}">${url}</a>`

export function deliveryTable(
  deliveries: readonly ShownDelivery[],
  webhook: string,
  now: string,
  addresses: Addresses,
): Markup {
  return html`<div class="table" role="group" aria-labelledby="deliveries" tabindex="0"><table>
<thead><tr><th scope="col" class="number">${say('Number')}</th><th scope="col">${say('Event')}</th><th scope="col">${say('Status')}</th><th scope="col" class="number wide">${say('Tries')}</th><th scope="col">${say('When')}</th></tr></thead>
<tbody>${deliveries.map(
    ({
      number,
      type,
      status,
      attempts,
      createdAt,
    }) => html`<tr><th scope="row" class="number"><a href="${addresses.delivery(webhook, number)}">${number}</a></th><td><code>${type}</code></td><td>${deliveryMark(
      status,
    )}</td><td class="number wide">${attempts}</td><td>${agoMarkup(createdAt, Date.parse(now))}</td></tr>
`,
  )}</tbody></table></div>
`
}

export interface DeliveryPage {
  readonly schema: Schema
  readonly delivery: ShownDelivery
  /** Of what the event is about, unless it is gone. */
  readonly name: string | undefined
  /** The last one first. */
  readonly tries: readonly ShownTry[]
  /** The event that is sent, as JSON; absent once it was purged. */
  readonly event: string | undefined
  readonly webhook: CalledWebhook
  readonly form: DocumentForm
  readonly addresses: Addresses
}

export function deliveryPage({ schema, delivery, name, tries, event, webhook, form, addresses }: DeliveryPage): Markup {
  const { id, number, type, status, attempts, nextTryAt, error } = delivery
  const rows: readonly Detail[] = [
    [say('Event'), html`<code>${type}</code>`],
    about(delivery, name, schema, addresses),
    [say('Message id'), html`<code>${id}</code>`],
    [say('Tries'), attempts],
    [say('Error'), error === null ? false : errorText(error)],
    [say('Next try'), nextTryAt !== null && instantMarkup(nextTryAt)],
  ]
  return html`<header class="head"><div><p class="crumbs">${crumbs(webhook, addresses)} / <a href="${addresses.webhook(webhook.id)}/deliveries">${say('Deliveries')}</a></p>
<h1>${say('Delivery {number}', { number: String(number) })}</h1><p class="marks">${deliveryMark(status)}</p></div></header>
<section class="panel" aria-labelledby="facts"><h2 id="facts">${say('Details')}</h2>${details(rows)}${framedForm(form, 'again')}</section>
${tries.map((each, at) => tryPanel(sentAs(each, id, event), say('Try {number}', { number: String(attempts - at) }), `try-${attempts - at}`))}${tries.length === 0 && shown(say('What is sent'), event)}`
}

/** With the request as it was; the signature is masked, as whoever has it could send the same again. */
function sentAs(shownTry: ShownTry, id: string, event: string | undefined): ShownTry {
  const { at, duration } = shownTry
  if (event === undefined || typeof at !== 'string') return shownTry
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor((Date.parse(at) - (duration ?? 0)) / 1000)),
    'webhook-signature': 'v1,***',
  }
  return { ...shownTry, request: { headers, body: event } }
}

/** The operation whose events have a type. */
export const operationOf = (type: string, { operations }: Schema): Operation | undefined =>
  operations.find(({ words }) => words.event === type)

/** The thing that the event is about; one that is gone is named without a link, and an import is about none. */
function about(
  { type, subject }: ShownDelivery,
  name: string | undefined,
  schema: Schema,
  addresses: Addresses,
): Detail {
  if (type === imported(schema).words.event) return [say('Import'), subject]
  const operation = operationOf(type, schema)
  if (operation === undefined) return [say('About'), subject]
  const { on, removes } = operation
  return [
    say(label(on.name)),
    removes ? subject : html`<a href="${addresses.thing(on, subject)}">${name ?? subject}</a>`,
  ]
}

const shown = (title: Text, text: string | null | undefined): Markup | false =>
  text !== undefined &&
  text !== null &&
  text !== '' &&
  html`<section class="panel" aria-label="${title}"><h2>${title}</h2><pre tabindex="0"><code>${text}</code></pre></section>
`
