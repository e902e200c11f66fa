import { say } from '../../languages/say.ts'
import { customer } from '../../model/customer/customer.ts'
import { collections } from '../../queries/collections.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { LONGEST_SEARCH } from '../../queries/like-pattern.ts'
import type { Parameter } from '../../queries/query-string.ts'
import { placeNames } from '../../queries/settings.ts'
import { label } from '../../representations/html/label.ts'
import { html, Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { withQuery } from '../../values/address.ts'
import { emptyList, filterBar } from '../filters/filter-bar.ts'
import { newLink } from '../page-forms/framed-form.ts'
import { customerFields, type ShownCustomer } from '../parts/shown.ts'
import { type Head, sortHeads } from '../parts/sorting.ts'
import type { Addresses, PageLinks } from '../parts/visit.ts'
import { type AgeGroup, ageHistogram } from './age-histogram.ts'

export interface CustomersPage {
  readonly customers: readonly ShownCustomer[]
  /** The number of customers per decade of age. */
  readonly ages: readonly { readonly from: number; readonly count: number }[]
  readonly parameters: readonly Parameter[]
  /** Where one is created; nothing for callers who may not. */
  readonly creation: string | undefined
  readonly links: PageLinks
  readonly hasMore: boolean
  readonly total: number | undefined
  readonly addresses: Addresses
}

/** The fields between the name and the number. */
const columns = customerFields.map((field) => ({
  field,
  kind: customer.kinds[field].name === 'integer' ? ('number' as const) : ('wide' as const),
}))

const heads: readonly Head[] = [
  { text: 'Name', field: 'name' },
  ...columns.map(({ field, kind }) => ({ text: label(field), kind, ...(isSortable(field) && { field }) })),
  { text: 'Number', field: 'id', kind: 'number wide' },
]

function isSortable(field: string): boolean {
  return (customer.indexed as readonly string[]).includes(field)
}

export function customersPage(page: CustomersPage): Markup {
  const { customers, parameters, addresses, total, hasMore, links } = page
  const shown =
    total === undefined
      ? say('{count} customers shown', { count: customers.length })
      : say('{shown} of {count} customers shown', { shown: customers.length, count: total })
  return html`<header class="head">
<div><h1>Customers</h1></div>
${page.creation && newLink(page.creation, 'New customer')}</header>
${page.ages.length > 0 && ageHistogram(ageGroups(page))}
${filterBar({
  collection: collections.customers,
  address: addresses.customers,
  action: addresses.filter('customers'),
  parameters,
  fields: [
    { name: SEARCH, label: 'Search', schema: { type: 'string', maxLength: LONGEST_SEARCH } },
    { name: 'country', label: 'Country', schema: { type: 'string', maxLength: 2 } },
    { name: 'age.gte', label: 'Age from', schema: whole },
    { name: 'age.lte', label: 'Age to', schema: whole },
    { name: 'children.gte', label: 'Children from', schema: whole },
  ],
})}
${customers.length === 0 ? emptyList('customer', addresses.customers, parameters) : table(page, `${shown}${hasMore ? ', more follow' : ''}`)}${pager(links)}`
}

const whole = { type: 'integer', minimum: 0, maximum: 150 } as const

/** A column sets the filter for the age and keeps the others. */
function ageGroups({ ages, parameters, addresses }: CustomersPage): readonly AgeGroup[] {
  const value = (name: string): string | undefined => parameters.find((each) => each.name === name)?.value
  const others = parameters.filter(({ name }) => !/^age\.(gte|lte)$/.test(name) && !placeNames.has(name))
  return ages.map(({ from, count }) => {
    const chosen = value('age.gte') === String(from) && value('age.lte') === String(from + 9)
    const range = chosen ? [] : [{ raw: `age.gte=${from}` }, { raw: `age.lte=${from + 9}` }]
    return { from, count, chosen, href: withQuery(addresses.customers, [...others, ...range]) }
  })
}

function table({ customers, parameters, addresses }: CustomersPage, caption: string): Markup {
  let rows = ''
  for (const each of customers) {
    const cells = columns.map(({ field, kind }) => html`<td class="${kind}">${each[field] ?? ''}</td>`)
    rows += html`<tr><th scope="row"><a href="${addresses.customer(each.id)}">${each.name}</a></th>${cells}<td class="number wide">${each.id}</td></tr>
`
  }
  return html`<section class="table" aria-labelledby="customers-caption" tabindex="0">
<table>
<caption id="customers-caption">${caption}</caption>
${sortHeads(heads, addresses.customers, parameters)}<tbody>
${Markup.of(rows)}</tbody>
</table>
</section>
`
}
