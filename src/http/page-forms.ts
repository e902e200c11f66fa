import { randomUUID } from 'node:crypto'
import { customerMembers } from '../customers/change.ts'
import type { Markings } from '../deals/deal.ts'
import type { Operation } from '../deals/operation.ts'
import { allowedOperations, operationNamed } from '../deals/operations.ts'
import type { DocumentForm, FormField } from '../representations/document.ts'
import type { StoredCustomer, StoredDeal } from '../store/store.ts'
import type { Members } from '../values/members.ts'
import type { Addresses } from './addresses.ts'
import type { Call } from './endpoint.ts'

// Forms that an ordinary browser can send: each operation at its noun's address, with an id so that sending twice does once.

/** What can be done with the deal now. */
export function dealForms(deal: StoredDeal, addresses: Addresses): readonly DocumentForm[] {
  const shown = JSON.parse(deal.json) as Markings & { readonly [name: string]: unknown }
  return allowedOperations(shown, new Date().toISOString()).map((operation) => ({
    ...operationForm(operation, addresses.ofDeal(deal.id, operation.words.noun), shown),
    hidden: { _revision: String(deal.revision), _command: randomUUID() },
  }))
}

export function creationForm({ service }: Call): readonly DocumentForm[] {
  const create = operationNamed('create')
  if (create === undefined) return []
  return [{ ...operationForm(create, service.addresses.deals, {}), hidden: { _command: randomUUID() } }]
}

export const customerCreationForm = ({ service }: Call): readonly DocumentForm[] => [
  {
    title: 'Create a customer',
    action: service.addresses.customers,
    method: 'post',
    submit: 'Create',
    fields: formFields(customerMembers, {}, {}),
    hidden: {},
  },
]

export function customerForms(customer: StoredCustomer, addresses: Addresses): readonly DocumentForm[] {
  const address = addresses.customer(customer.id)
  const hidden = { _revision: String(customer.revision) }
  const now = JSON.parse(customer.json) as { readonly [name: string]: unknown }
  const fields = formFields(customerMembers, now, {})
  return [
    { title: 'Edit', action: `${address}/edits`, method: 'post', submit: 'Save', fields, hidden },
    { title: 'Delete', action: `${address}/deletions`, method: 'post', submit: 'Delete', fields: [], hidden },
  ]
}

function operationForm(
  { title, params, examples, sets = {} }: Operation,
  action: string,
  deal: { readonly [name: string]: unknown },
): DocumentForm {
  const now = Object.fromEntries(Object.entries(sets).map(([param, field]) => [param, deal[field]]))
  return { title, action, method: 'post', submit: title, fields: formFields(params, now, examples[0]), hidden: {} }
}

function formFields(
  members: Members,
  values: { readonly [name: string]: unknown },
  example: { readonly [name: string]: unknown },
): readonly FormField[] {
  return Object.entries(members).map(([name, { kind, required }]) => ({
    name,
    label: labelOf(name),
    schema: kind.schema,
    // What may be nothing is left empty for it.
    required: required && !kind.nullable && 'fault' in kind.read(''),
    ...(isSaid(values[name]) && { value: String(values[name]) }),
    ...(isSaid(example[name]) && { placeholder: String(example[name]) }),
  }))
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null

/** newPrice → New price */
const labelOf = (name: string): string => {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
