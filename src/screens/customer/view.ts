import { say } from '../../languages/say.ts'
import type { Resource } from '../../model/schema.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { type Hole, html, type Markup } from '../../representations/html/markup.ts'
import { dealTable } from '../deals/deal-table.ts'
import { framedForm, newLink } from '../page-forms/framed-form.ts'
import { refusedNotice } from '../page-forms/refused-notice.ts'
import { type Detail, details, quiet } from '../parts/details.ts'
import { instantMarkup } from '../parts/moment.ts'
import type { ShownCustomer, ShownDeal } from '../parts/shown.ts'
import type { Addresses, View } from '../parts/visit.ts'
import type { ExplainedRefusal } from '../problem/why.ts'

export interface CustomerPage {
  readonly customer: ShownCustomer
  /** The fields to show besides the name. */
  readonly fields: readonly string[]
  readonly dealResource: Resource
  readonly deals: readonly ShownDeal[]
  readonly hasMoreDeals: boolean
  /** Each form only for callers who may send it. */
  readonly edit?: DocumentForm
  /** Deleting it for good, and the page that asks first. */
  readonly remove?: { readonly form: DocumentForm; readonly confirm: string }
  /** Where a new deal of this customer is created. */
  readonly creation?: string
  /** A form that was sent and refused. */
  readonly refused?: ExplainedRefusal & { readonly again: boolean }
  /** The panel of its tasks. */
  readonly tasks: View
  readonly now: string
  readonly addresses: Addresses
}

export function customerPage(page: CustomerPage): Markup {
  const { customer, deals, refused, addresses } = page
  return html`<header class="head">
<div><p class="crumbs"><a href="${addresses.customers}">${say('Customers')}</a></p>
<h1 id="title" data-live>${customer.name}</h1></div>
</header>
<div id="refusal" data-live="when-sent">${
    refused &&
    refusedNotice(
      refused,
      refused.again && html`<p>${say('What you entered is below, beside the current values.')}</p>`,
    )
  }</div>
${refused?.again && editing(page)}<div class="columns">
<section class="panel" aria-labelledby="facts-title"><h2 id="facts-title">${say('Details')}</h2><div id="facts" data-live>${customerDetails(page)}</div><p><a href="${addresses.customer(customer.id)}/history">${say('History')}</a></p></section>
<div>${page.tasks()}</div>
</div>
<section class="panel" aria-labelledby="deals"><h2 id="deals">${say('Deals')}</h2>
${
  deals.length === 0
    ? html`<p class="empty">${say('No deals yet.')}</p>\n`
    : dealTable({
        resource: page.dealResource,
        caption: say('{count} deals shown', { count: deals.length }),
        deals,
        now: page.now,
        addresses,
      })
}${page.hasMoreDeals && html`<p><a href="${addresses.deals}?customerId=${customer.id}">${say('All deals of this customer')}</a></p>\n`}${page.creation && newLink(page.creation, say('New deal'))}</section>
${!refused?.again && editing(page)}`
}

/** What can be changed about the customer; a form that was refused comes first in the page. */
function editing({ edit, remove }: CustomerPage): Markup {
  return html`<div class="columns">
${edit && html`<section class="panel" aria-labelledby="edit"><h2 id="edit">${say('Edit')}</h2><div id="editing" data-live="unless-typing">${framedForm(edit, 'edit-form', { here: true })}</div></section>\n`}${
  remove &&
  html`<section class="panel" aria-labelledby="remove"><h2 id="remove">${say('Delete')}</h2><p class="quiet">${say('Possible only while no deal has this customer. It cannot be undone.')}</p>${framedForm(remove.form, 'remove-form', { confirm: remove.confirm })}</section>
`
}</div>
`
}

function fieldMarkup(field: string, value: string | number | null): Hole {
  if (value === null) return quiet(say('not known'))
  if (field !== 'email') return value
  return html`<a href="mailto:${encodeURIComponent(value).replaceAll('%40', '@')}">${value}</a>`
}

function customerDetails({ customer, fields }: CustomerPage): Markup {
  return details([
    ...fields.map((field): Detail => [say(label(field)), fieldMarkup(field, customer[field as 'age'])]),
    [say('Number'), String(customer.id)],
    [say('Created'), instantMarkup(customer.createdAt)],
    [say('Changed'), instantMarkup(customer.updatedAt)],
  ])
}
