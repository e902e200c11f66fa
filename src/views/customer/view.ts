import type { DocumentForm } from '../../representations/document.ts'
import { html, type Markup } from '../../representations/html/markup.ts'
import { foldedForm, framedForm } from '../page-forms/framed-form.ts'
import { dealTable } from '../parts/deal-table.ts'
import { instantMarkup, plural } from '../parts/moment.ts'
import type { ShownCustomer, ShownDeal } from '../parts/shown.ts'
import type { Addresses } from '../parts/visit.ts'

export interface CustomerPage {
  readonly customer: ShownCustomer
  readonly deals: readonly ShownDeal[]
  readonly hasMoreDeals: boolean
  /** These are for those who may. */
  readonly edit?: DocumentForm
  readonly remove?: DocumentForm
  /** A new deal of this customer. */
  readonly creation?: DocumentForm
  /** A form that was sent and refused. */
  readonly refused?: { readonly title: string; readonly detail: string; readonly again: boolean }
  readonly now: string
  readonly addresses: Addresses
}

export function customerPage(page: CustomerPage): Markup {
  const { customer, deals, edit, remove, refused, addresses } = page
  return html`<header class="head">
<div><p class="crumbs"><a href="${addresses.customers}">Customers</a></p>
<h1>${customer.name}</h1></div>
</header>
${
  refused &&
  html`<section class="refused panel" role="alert" aria-labelledby="refused"><h2 id="refused">${refused.title}</h2><p>Nothing was done: ${refused.detail}</p>${
    refused.again && html`<p>What you filled in is kept below, beside what it is now.</p>`
  }</section>
`
}<section class="panel" aria-labelledby="deals"><h2 id="deals">Deals</h2>
${
  deals.length === 0
    ? html`<p class="empty">No deal yet.</p>\n`
    : dealTable({ caption: `${plural(deals.length, 'deal')} shown`, deals, now: page.now, addresses })
}${page.hasMoreDeals && html`<p><a href="${addresses.deals}?customerId=${customer.id}">All deals of this customer</a></p>\n`}${page.creation && foldedForm(page.creation, 'New deal')}</section>
<div class="columns">
${edit && html`<section class="panel" aria-labelledby="edit"><h2 id="edit">Edit</h2>${framedForm(edit, 'edit-form')}</section>\n`}<div><section class="panel" aria-labelledby="facts"><h2 id="facts">Facts</h2>${facts(customer)}</section>
${
  remove &&
  html`<section class="panel" aria-labelledby="remove"><h2 id="remove">Delete</h2><p class="quiet">Possible while no deal names the customer.</p>${framedForm(remove, 'remove-form', { danger: true })}</section>`
}</div>
</div>
`
}

function facts(customer: ShownCustomer): Markup {
  const { email, age, children, country } = customer
  const rows: readonly (readonly [string, Markup | string | number | null])[] = [
    [
      'Email',
      email === null ? null : html`<a href="mailto:${encodeURIComponent(email).replaceAll('%40', '@')}">${email}</a>`,
    ],
    ['Age', age],
    ['Children', children],
    ['Country', country],
    ['Number', customer.id],
    ['Made', instantMarkup(customer.createdAt)],
    ['Changed', instantMarkup(customer.updatedAt)],
    ['Revision', customer.revision],
  ]
  return html`<dl class="facts">${rows.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value ?? html`<span class="quiet">not known</span>`}</dd>`,
  )}</dl>`
}
