import { customer as customers } from '../../model/customer/customer.ts'
import { deal as deals, stages } from '../../model/deal/deal.ts'
import type { Operation } from '../../model/operation.ts'
import type { Resource, Thing } from '../../model/resource.ts'
import { allowedOperations, operationsOn } from '../../model/resources.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import type { Stored, StoredCustomer } from '../../store/port/store.ts'
import type { Members } from '../../values/members.ts'
import type { Addresses, Visit } from '../parts/visit.ts'
import { newCommandId } from './command-id.ts'

// HTML forms. An operation is sent to the address of its noun.

/** The forms of the operations that are allowed now. */
export function thingForms(
  resource: Resource,
  thing: Stored,
  addresses: Addresses,
  now: string,
): readonly DocumentForm[] {
  if (resource.name === customers.name) return customerForms(thing as StoredCustomer, addresses)
  const shown = JSON.parse(thing.json) as Thing & FieldValues
  return allowedOperations(resource, shown, now).map((operation) => thingForm(operation, thing, shown, addresses))
}

/** One operation on a thing. A parameter that sets a field is prefilled with the field's value. */
export function thingForm(operation: Operation, thing: Stored, shown: FieldValues, addresses: Addresses): DocumentForm {
  const { on, words, sets = {}, differences } = operation
  const set = Object.entries(sets).map(([param, field]) => [param, shown[field]])
  const action = `${addresses.thing(on, thing.id)}/${words.noun}`
  return {
    ...operationForm(operation, action, differences ? shown : Object.fromEntries(set)),
    hidden: { _revision: String(thing.revision), _command: newCommandId() },
  }
}

type FieldValues = { readonly [name: string]: unknown }

const create = operationsOn(deals).find(({ to }) => to === 'nothing')

/** A new deal, prefilled with the defaults and with `values`. */
export function creationForm({ service }: Pick<Visit, 'service'>, values: FieldValues = {}): DocumentForm {
  if (create === undefined) throw new Error('no operation makes a deal')
  const { addresses, settings } = service
  const prefilled = { currency: settings.currency, stage: stages[0], ...values }
  return { ...operationForm(create, addresses.deals, prefilled), hidden: { _command: newCommandId() } }
}

/** A new thing of a resource without views of its own. */
export const plainCreationForms = (resource: Resource, { service }: Pick<Visit, 'service'>): readonly DocumentForm[] =>
  operationsOn(resource)
    .filter(({ to }) => to === 'nothing')
    .map((operation) => ({
      ...operationForm(operation, service.addresses.base + resource.path, {}),
      hidden: { _command: newCommandId() },
    }))

export const customerCreationForm = ({ service }: Pick<Visit, 'service'>): DocumentForm => ({
  title: 'Create a customer',
  action: service.addresses.customers,
  method: 'post',
  submit: 'Create',
  fields: formFields(customers.create, {}, {}),
  hidden: {},
})

export function customerForms(customer: StoredCustomer, addresses: Addresses): readonly [DocumentForm, DocumentForm] {
  const address = addresses.customer(customer.id)
  const hidden = { _revision: String(customer.revision) }
  const fields = formFields(customers.create, JSON.parse(customer.json) as FieldValues, {})
  return [
    { title: 'Edit', action: `${address}/edits`, method: 'post', submit: 'Save', fields, hidden },
    { title: 'Delete', action: `${address}/deletions`, method: 'post', submit: 'Delete', fields: [], hidden },
  ]
}

function operationForm({ title, params, examples }: Operation, action: string, values: FieldValues): DocumentForm {
  return { title, action, method: 'post', submit: title, fields: formFields(params, values, examples[0]), hidden: {} }
}

function formFields(members: Members, values: FieldValues, example: FieldValues): readonly FormField[] {
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
