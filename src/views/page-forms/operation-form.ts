import { customerMembers } from '../../model/customer/change.ts'
import { type Markings, stages } from '../../model/deal/deal.ts'
import { allowedOperations, operations } from '../../model/deal/operations.ts'
import type { Operation } from '../../model/operation.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import type { StoredCustomer, StoredDeal } from '../../store/port/store.ts'
import type { Members } from '../../values/members.ts'
import type { Addresses, Visit } from '../parts/visit.ts'
import { newCommandId } from './command-id.ts'

// HTML forms. An operation is sent to the address of its noun.

/** The forms of the operations that are allowed now. */
export function dealForms(deal: StoredDeal, addresses: Addresses, now: string): readonly DocumentForm[] {
  const shown = JSON.parse(deal.json) as Markings & Values
  return allowedOperations(shown, now).map((operation) => dealForm(operation, deal, shown, addresses))
}

/** One operation on the deal. A parameter that sets a field is prefilled with the field's value. */
export function dealForm(operation: Operation, deal: StoredDeal, shown: Values, addresses: Addresses): DocumentForm {
  const values = Object.entries(operation.sets ?? {}).map(([param, field]) => [param, shown[field]])
  return {
    ...operationForm(operation, addresses.ofDeal(deal.id, operation.words.noun), Object.fromEntries(values)),
    hidden: { _revision: String(deal.revision), _command: newCommandId() },
  }
}

type Values = { readonly [name: string]: unknown }

const create = operations.find(({ on }) => on === 'nothing')

/** A new deal, prefilled with the defaults and with `values`. */
export function creationForm({ service }: Pick<Visit, 'service'>, values: Values = {}): DocumentForm {
  if (create === undefined) throw new Error('no operation makes a deal')
  const { addresses, settings } = service
  const prefilled = { currency: settings.currency, stage: stages[0], ...values }
  return { ...operationForm(create, addresses.deals, prefilled), hidden: { _command: newCommandId() } }
}

export const customerCreationForm = ({ service }: Pick<Visit, 'service'>): DocumentForm => ({
  title: 'Create a customer',
  action: service.addresses.customers,
  method: 'post',
  submit: 'Create',
  fields: formFields(customerMembers, {}, {}),
  hidden: {},
})

export function customerForms(customer: StoredCustomer, addresses: Addresses): readonly [DocumentForm, DocumentForm] {
  const address = addresses.customer(customer.id)
  const hidden = { _revision: String(customer.revision) }
  const fields = formFields(customerMembers, JSON.parse(customer.json) as Values, {})
  return [
    { title: 'Edit', action: `${address}/edits`, method: 'post', submit: 'Save', fields, hidden },
    { title: 'Delete', action: `${address}/deletions`, method: 'post', submit: 'Delete', fields: [], hidden },
  ]
}

function operationForm({ title, params, examples }: Operation, action: string, values: Values): DocumentForm {
  return { title, action, method: 'post', submit: title, fields: formFields(params, values, examples[0]), hidden: {} }
}

function formFields(members: Members, values: Values, example: Values): readonly FormField[] {
  return Object.entries(members).map(([name, { kind, required }]) => ({
    name,
    label: label(name),
    schema: kind.schema,
    // A field that accepts null or an empty string may stay empty.
    required: required && !kind.nullable && 'fault' in kind.read(''),
    ...(isGiven(values[name]) && { value: String(values[name]) }),
    ...(isGiven(example[name]) && { placeholder: String(example[name]) }),
  }))
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null
