import { say } from '../../languages/say.ts'
import { type Text, wordsFor } from '../../languages/text.ts'
import { bySchema } from '../../model/by-schema.ts'
import type { Resource } from '../../model/schema.ts'
import { collectionOf } from '../../queries/collections.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import { LONGEST_SEARCH } from '../../queries/like-pattern.ts'
import { placeNames } from '../../queries/settings.ts'
import type { FormField } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import { landing } from '../../representations/html/layout.ts'
import { escapeHtml, type Hole, html, Markup } from '../../representations/html/markup.ts'
import { pager } from '../../representations/html/table.ts'
import { withQuery } from '../../values/address.ts'
import { mayDo } from '../../values/role.ts'
import { emptyList, filterBar } from '../filters/filter-bar.ts'
import { type Head, sortHeads } from '../filters/sorting.ts'
import { columnMenu } from '../list/columns.ts'
import { exportMenu, isPartOf } from '../list/exports.ts'
import type { SavedViews } from '../list/saved-views.ts'
import { narrowed, pickable, selectable } from '../list/selection.ts'
import { tabBar } from '../list/tabs.ts'
import type { Totals } from '../list/totals.ts'
import { viewForms } from '../list/view-forms.ts'
import { newLink } from '../page-forms/framed-form.ts'
import { fieldsBesideName, type ShownCustomer } from '../parts/shown.ts'
import { valueText } from '../parts/value-text.ts'
import type { Addresses, ShownList, Visit } from '../parts/visit.ts'
import { type AgeGroup, ageHistogram } from './age-histogram.ts'

export interface CustomersPage extends Pick<ShownList, 'parameters' | 'links' | 'hasMore' | 'fields'> {
  readonly resource: Resource
  readonly customers: readonly ShownCustomer[]
  /** The number of customers per decade of age. */
  readonly ages: readonly { readonly from: number; readonly count: number }[]
  /** Of the whole list; not known of a search with more results than a page. */
  readonly totals: Totals | undefined
  readonly saved: SavedViews
  /** Where one is created; nothing for callers who may not. */
  readonly creation: string | undefined
  readonly addresses: Addresses
  readonly role: Visit['role']
}

/** The columns besides the name, which every table has. */
const usualColumns = bySchema((resource: Resource): readonly string[] => [...fieldsBesideName(resource), 'id'])

/** Those that can be chosen. */
const columnNames = bySchema(({ names }: Resource): readonly string[] => names.filter((field) => field !== 'name'))

const columnText = (field: string): Text => (field === 'id' ? say('Number') : say(label(field)))

function headOf({ kinds }: Resource, field: string, mayHide: boolean): Head {
  const isNumber = kinds[field]?.name === 'integer'
  const isWide = mayHide && !(isNumber && field !== 'id')
  const kind = isNumber ? (isWide ? 'number wide' : 'number') : isWide ? 'wide' : undefined
  return { text: columnText(field), field, ...(kind && { kind }) }
}

const whole = { type: 'integer', minimum: 0, maximum: 150 } as const

const filterFields: readonly FormField[] = [
  { name: SEARCH, label: say('Search'), schema: { type: 'string', maxLength: LONGEST_SEARCH } },
  { name: 'country', label: say('Country'), schema: { type: 'string', maxLength: 2 } },
  { name: 'age.gte', label: say('Age from'), schema: whole },
  { name: 'age.lte', label: say('Age to'), schema: whole },
  { name: 'children.gte', label: say('Children from'), schema: whole },
]

export function customersPage(page: CustomersPage): Markup {
  const { resource, customers, parameters, addresses, totals, hasMore, links, saved, fields } = page
  const address = addresses.customers
  const action = addresses.filter('customers')
  const isPart = isPartOf(parameters, hasMore)
  return html`<header class="head">
<div><h1>${say('Customers')}</h1></div>
${page.creation !== undefined && newLink(page.creation, say('New customer'))}</header>
${saved.views.length > 0 && tabBar({ address, parameters, fixed: [{ name: say('All'), query: '' }], saved })}
${page.ages.length > 0 && ageHistogram(ageGroups(page))}
${filterBar({
  collection: collectionOf(resource),
  address,
  action,
  parameters,
  fields: filterFields,
})}
<div class="tools">${columnMenu({ address, action, parameters, shown: fields?.filter((each) => each !== 'name') ?? usualColumns(resource), all: columnNames(resource), text: columnText })}${exportMenu({ address, parameters, shown: customers.length, count: totals?.count, isPart })}${viewForms({ collection: 'customers', path: resource.path, parameters, saved, addresses })}</div>
<div${landing.list} data-live>
${
  customers.length === 0
    ? emptyList({
        none: say('No customers yet.'),
        noMatch: say('No customers match.'),
        all: say('Show all customers'),
        address,
        parameters,
        next:
          page.creation === undefined
            ? undefined
            : html`<p><a class="button" href="${page.creation}">${say('Create the first customer')}</a></p>`,
      })
    : selectable(table(page), {
        resource,
        addresses,
        back: withQuery(resource.path, parameters),
        ofDeleted: false,
        role: page.role,
      })
}${pager(links)}</div>
`
}

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

function table(page: CustomersPage): Markup {
  const { resource, customers, parameters, addresses, fields } = page
  const shown = (fields ?? usualColumns(resource)).filter((field) => field !== 'name')
  const heads = shown.map((field) => headOf(resource, field, fields === undefined))
  const mayChange = mayDo(page, resource.roles.writes)
  const rows = Markup.inRows(function* (reader) {
    for (const each of customers) {
      const named = `<a href="${escapeHtml(addresses.customer(each.id))}">${escapeHtml(each.name)}</a>`
      let row = `<tr><th scope="row">${mayChange ? pickable(each.id, named) : named}</th>`
      for (const [at, field] of shown.entries()) {
        const isNumber = heads[at]?.kind?.startsWith('number')
        const value = wordsFor(valueText(resource, field, { ...each }), reader)
        row += `${isNumber ? '<td class="number">' : '<td>'}${escapeHtml(value)}</td>`
      }
      yield `${row}</tr>\n`
    }
  })
  const all: readonly Head[] = [{ text: say('Name'), field: 'name' }, ...heads]
  return html`<div class="table" role="group" aria-labelledby="customers-caption" tabindex="0">
<table${narrowed(all)}>
<caption id="customers-caption">${captionOf(page)}</caption>
${sortHeads(all, addresses.customers, parameters)}<tbody>
${rows}</tbody>
</table>
</div>
`
}

function captionOf({ customers, totals, hasMore }: CustomersPage): Hole {
  if (totals === undefined)
    return [say('{count} customers shown', { count: customers.length }), hasMore && [', ', say('more follow')]]
  return totals.count === customers.length
    ? say('{count} customers', { count: totals.count })
    : say('{shown} of {count} customers shown', { shown: customers.length, count: totals.count })
}
