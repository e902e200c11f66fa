import type { CustomerChange } from '../../model/customer/change.ts'
import { collections } from '../../queries/collections.ts'
import type { Document, DocumentForm } from '../../representations/document.ts'
import type { StoredCustomer } from '../../store/port/store.ts'
import { type CustomerPage, customerPage } from '../../views/customer.ts'
import { refusedCreation } from '../../views/refused-creation.ts'
import { readCustomer, readDeal } from '../../views/shown.ts'
import { type Call, mayDo } from '../endpoint.ts'
import { creationForm, customerCreationForm, customerForms } from '../resources/page-forms.ts'
import type { Problem } from '../respond/problem.ts'
import { ask } from './ask.ts'
import { filledIn, toldOf } from './filled-in.ts'

/** A customer with the deals that name it. */
export async function showCustomer(stored: StoredCustomer, call: Call): Promise<Document['page']> {
  const read = await readCustomerPage(stored, call)
  return () => customerPage(read)
}

async function readCustomerPage(stored: StoredCustomer, call: Call): Promise<CustomerPage> {
  const { store, addresses } = call.service
  const { items, hasMore } = await ask(store, collections.deals, `customerId=${stored.id}&maxpagesize=20`)
  const [edit, remove] = customerForms(stored, addresses)
  return {
    customer: readCustomer(stored.json),
    deals: items.map(readDeal),
    hasMoreDeals: hasMore,
    ...(mayDo(call, 'admin') && { remove }),
    ...(mayDo(call, 'editor') && { edit, creation: creationForm(call, { customerId: stored.id }) }),
    now: new Date().toISOString(),
    places: addresses,
  }
}

/** A form that was refused is shown again, with what was filled in and what is wrong with it. */
export async function withRefusedCustomer(problem: Problem, wanted: CustomerChange, call: Call): Promise<Problem> {
  const { fields } = call
  if (fields === undefined || call.representation !== 'html') return problem
  if (wanted.kind === 'create') {
    const form = filledIn(customerCreationForm(call), fields, problem)
    const above = { href: call.service.addresses.customers, text: 'Customers' }
    return { ...problem, page: () => refusedCreation({ form, ...toldOf(problem, form), above }) }
  }
  const stored = await call.service.store.customer(wanted.id)
  if (stored === undefined) return problem
  const page = await readCustomerPage(stored, call)
  const again = wanted.kind !== 'delete'
  const refused = { ...toldOf(problem, page.edit), again }
  const edit = page.edit && again ? { ...besideNow(page.edit, fields, problem), submit: 'Try again' } : page.edit
  return { ...problem, page: () => customerPage({ ...page, ...(edit && { edit }), refused }) }
}

/** The form as it was sent; where somebody else changed it in between, each field that differs says what it is now. */
function besideNow(form: DocumentForm, sent: ReadonlyMap<string, string>, problem: Problem): DocumentForm {
  const filled = filledIn(form, sent, problem)
  if (problem.code !== 'stale-revision') return filled
  const now = new Map(form.fields.map(({ name, value = '' }) => [name, value]))
  return {
    ...filled,
    fields: filled.fields.map((field) => {
      const value = now.get(field.name)
      return value === (field.value ?? '') ? field : { ...field, note: `now ${value === '' ? 'empty' : value}` }
    }),
  }
}
