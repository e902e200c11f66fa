import type { Addresses } from '../../http/contract/addresses.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import type { Text } from '../../languages/text.ts'
import type { Operation, Schema } from '../../model/declaration/schema.ts'
import { imported } from '../../model/nouns/customer/imported.ts'
import type { Parameter } from '../../queries/query-string.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { type Hole, html, type Markup } from '../../representations/markup/markup.ts'
import { withParameter } from '../filters/filter-bar.ts'
import { orderLink } from '../filters/sorting.ts'
import { framedForm } from '../forms/framed-form.ts'
import { mark } from '../parts/marks.ts'
import { agoMarkup, untilMarkup } from '../parts/moment.ts'
import { choices, crumb, pageHead } from '../parts/page-head.ts'
import { type Detail, details, panel } from '../parts/panel.ts'
import type { Column } from '../parts/table.ts'
import { tableList } from '../table-list/view.ts'
import { errorText } from './receiver-state.ts'
import { type ShownTry, tryPanel } from './try-panel.ts'

export interface ShownDelivery {
  readonly id: string
  readonly number: number
  readonly type: string
  /** The id of the event's thing. */
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
const deliveryMark = (status: ShownDelivery['status']): Markup => mark(kinds[status], statusText(status))

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
  readonly list: ShownList
  readonly now: string
  readonly addresses: Addresses
}

/** The webhook that is called. */
interface CalledWebhook {
  readonly id: string
  readonly url: string
}

/** The deliveries to one webhook. */
export function deliveriesPage({ webhook, deliveries, list, now, addresses }: DeliveriesPage): Markup {
  const { parameters } = list
  const address = `${addresses.webhook(webhook.id)}/deliveries`
  return tableList({
    crumbs: crumbs(webhook, addresses),
    title: say('Deliveries'),
    beside: [statusSwitch(address, parameters), deliveries.length > 1 && orderLink(address, parameters, 'number')],
    list,
    address,
    caption: say('{count} shown', { count: deliveries.length }),
    columns: deliveryColumns(webhook.id, now, addresses),
    rows: deliveries,
    none: say('No deliveries yet.'),
  })
}

function statusSwitch(address: string, parameters: readonly Parameter[]): Markup {
  const now = parameters.find(({ name }) => name === 'status')?.value
  const hrefOf = withParameter(address, parameters, 'status')
  return choices(say('Status'), 'switch', [
    { href: address, text: say('All|deliveries'), isCurrent: now === undefined },
    ...statuses.map((status) => ({ href: hrefOf(status), text: statusText(status), isCurrent: status === now })),
  ])
}

const crumbs = ({ id, url }: CalledWebhook, addresses: Addresses): readonly Hole[] => [
  crumb(addresses.webhooks, say('Webhooks')),
  ' / ',
  crumb(addresses.webhook(id), url),
]

export function deliveryColumns(webhook: string, now: string, addresses: Addresses): readonly Column<ShownDelivery>[] {
  const time = Date.parse(now)
  return [
    {
      head: say('Number|serial'),
      kind: 'number',
      cell: ({ number }) => crumb(addresses.delivery(webhook, number), number),
    },
    { head: say('Event'), cell: ({ type }) => html`<code>${type}</code>` },
    { head: say('Status'), cell: ({ status }) => deliveryMark(status) },
    { head: say('Tries'), kind: 'number wide', cell: ({ attempts }) => attempts },
    { head: say('When'), cell: ({ createdAt }) => agoMarkup(createdAt, time) },
  ]
}

export interface DeliveryPage {
  readonly schema: Schema
  readonly delivery: ShownDelivery
  /** The name of the event's thing, unless it was removed. */
  readonly name: string | undefined
  /** The last one first. */
  readonly tries: readonly ShownTry[]
  /** The sent event, as JSON; absent once it was purged. */
  readonly event: string | undefined
  readonly webhook: CalledWebhook
  readonly form: DocumentForm
  readonly now: string
  readonly addresses: Addresses
}

export function deliveryPage(page: DeliveryPage): Markup {
  const { schema, delivery, name, tries, event, webhook, form, now, addresses } = page
  const { id, number, type, status, attempts, nextTryAt, error } = delivery
  const rows: readonly Detail[] = [
    [say('Event'), html`<code>${type}</code>`],
    about(delivery, name, schema, addresses),
    [say('Message id'), html`<code>${id}</code>`],
    [say('Tries'), attempts],
    [say('Error'), error === null ? false : errorText(error)],
    [say('Next try'), nextTryAt !== null && untilMarkup(nextTryAt, Date.parse(now))],
  ]
  const head = pageHead({
    crumbs: [
      crumbs(webhook, addresses),
      ' / ',
      crumb(`${addresses.webhook(webhook.id)}/deliveries`, say('Deliveries')),
    ],
    title: say('Delivery {number}', { number: String(number) }),
    marks: deliveryMark(status),
  })
  const tried = tries.map((each, at) => {
    const tryNumber = String(attempts - at)
    return tryPanel(sentAs(each, id, event), say('Try {number}', { number: tryNumber }), `try-${tryNumber}`)
  })
  const untried = tries.length === 0 && event !== undefined && event !== ''
  const sent = html`<pre tabindex="0"><code>${event}</code></pre>`
  return html`${head}${panel('facts', say('Details'), [details(rows), framedForm(form, 'again')])}
${tried}${untried && panel('event', say('What is sent'), sent)}`
}

/** With the original request; the signature is masked, because with it others could send the same again. */
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

/** The operation with events of a type. */
export const operationOf = (type: string, { operations }: Schema): Operation | undefined =>
  operations.find(({ words }) => words.event === type)

/** The event's thing; one that is gone has no link, and an import has none. */
function about(
  { type, subject }: ShownDelivery,
  name: string | undefined,
  schema: Schema,
  addresses: Addresses,
): Detail {
  if (type === imported(schema).words.event) return [say('Import'), subject]
  const operation = operationOf(type, schema)
  if (operation === undefined) return [say('About'), subject]
  const { on } = operation
  return [say(label(on.name)), name === undefined ? subject : crumb(addresses.thing(on, subject), name)]
}
