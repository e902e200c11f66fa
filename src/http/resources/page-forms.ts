import { randomUUID } from 'node:crypto'
import { customerMembers } from '../../model/customer/change.ts'
import { type Markings, stages } from '../../model/deal/deal.ts'
import { allowedOperations, operationNamed } from '../../model/deal/operations.ts'
import type { Operation } from '../../model/operation.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import type { StoredCustomer, StoredDeal } from '../../store/port/store.ts'
import type { Members } from '../../values/members.ts'
import type { Addresses } from '../addresses.ts'
import type { Call } from '../endpoint.ts'

// Forms that an ordinary browser can send: each operation at its noun's address, with an id so that sending twice does once.

/** What can be done with the deal now. */
export function dealForms(deal: StoredDeal, addresses: Addresses): readonly DocumentForm[] {
  const shown = JSON.parse(deal.json) as Markings & { readonly [name: string]: unknown }
  return allowedOperations(shown, new Date().toISOString()).map((operation) =>
    dealForm(operation, deal, valuesNow(operation, shown), addresses),
  )
}

/** One operation on the deal, filled in with values of its parameters. */
export function dealForm(operation: Operation, deal: StoredDeal, values: Values, addresses: Addresses): DocumentForm {
  return {
    ...operationForm(operation, addresses.ofDeal(deal.id, operation.words.noun), values),
    hidden: { _revision: String(deal.revision), _command: newCommandId() },
  }
}

/** The last 19 digits of a UUID: short, as a page may hold fifty of them, and 74 random bits do not meet either. */
export const newCommandId = (): string => randomUUID().slice(15).replaceAll('-', '')

type Values = { readonly [name: string]: unknown }

/** The parameters that set a field begin with what the deal has in it. */
export const valuesNow = ({ sets = {} }: Operation, deal: Values): Values =>
  Object.fromEntries(Object.entries(sets).map(([param, field]) => [param, deal[field]]))

const create = operationNamed('create')

/** Filled in with what a deal has of which nothing is said. */
export function creationForm({ service }: Call, values: Values = {}): DocumentForm {
  if (create === undefined) throw new Error('create is not declared')
  const { addresses, settings } = service
  const usual = { currency: settings.currency, stage: stages[0], ...values }
  return { ...operationForm(create, addresses.deals, usual), hidden: { _command: newCommandId() } }
}

export const customerCreationForm = ({ service }: Call): DocumentForm => ({
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
  const now = JSON.parse(customer.json) as { readonly [name: string]: unknown }
  const fields = formFields(customerMembers, now, {})
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
