import { type CustomerChange, customerMembers } from '../../model/customer/change.ts'
import type { Document } from '../../representations/document.ts'
import type { StoredCustomer } from '../../store/port/store.ts'
import { checkGuard } from '../../values/guard.ts'
import type { Addresses } from '../addresses.ts'
import type { Answer } from '../answer.ts'
import type { Call, Endpoint, MediaType } from '../endpoint.ts'
import { fromFields } from '../forms/parameters.ts'
import { showCustomer, withRefusedCustomer } from '../pages/customer.ts'
import { isFromPage } from '../request/from-page.ts'
import { MINIMAL, preferenceApplied, prefersMinimal } from '../request/prefer.ts'
import { readWritingWithoutKey, superfluousBody } from '../request/write-options.ts'
import { customerDocument } from '../respond/documents.ts'
import { type Problem, refusalProblem } from '../respond/problem.ts'
import { describeCustomerWrite, readsCustomer } from './describe-customers.ts'
import { customerDraft, DRY_RUN } from './describe-drafts.ts'

const json: readonly MediaType[] = ['application/json']
const jsonOrForm: readonly MediaType[] = ['application/json', 'application/x-www-form-urlencoded']
const writing = { role: 'editor', offers: 'resource', parameters: ['dry-run'] } as const
/** Deleting is final. */
const removing = { ...writing, role: 'admin' } as const

/** A customer and its changes; the collection is read elsewhere, as every collection is. */
export const customerEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/customers/:id',
    role: 'reader',
    offers: 'resource',
    summary: 'A customer',
    describes: readsCustomer,
    handle: read,
  },
  {
    ...writing,
    method: 'POST',
    path: '/customers',
    summary: 'Create a customer',
    reads: jsonOrForm,
    describes: describeCustomerWrite('creates'),
    handle: create,
  },
  {
    ...writing,
    method: 'PUT',
    path: '/customers/:id',
    summary: 'Replace a customer',
    reads: json,
    describes: describeCustomerWrite('replaces'),
    handle: (call) => update(call, 'replace'),
  },
  {
    ...writing,
    method: 'PATCH',
    path: '/customers/:id',
    summary: 'Change some fields of a customer',
    reads: ['application/merge-patch+json', 'application/json'],
    describes: describeCustomerWrite('patches'),
    handle: (call) => update(call, 'patch'),
  },
  {
    ...removing,
    method: 'DELETE',
    path: '/customers/:id',
    summary: 'Delete a customer',
    describes: describeCustomerWrite('deletes'),
    handle: remove,
  },
  {
    ...writing,
    method: 'POST',
    path: '/customers/:id/edits',
    summary: 'Change a customer, from a page',
    reads: jsonOrForm,
    describes: describeCustomerWrite('patches', 'from a page'),
    // A form shows every field, so one that was left empty was emptied.
    handle: (call) => update(call, call.fields === undefined ? 'patch' : 'replace'),
  },
  {
    ...removing,
    method: 'POST',
    path: '/customers/:id/deletions',
    summary: 'Delete a customer, from a page',
    reads: jsonOrForm,
    describes: describeCustomerWrite('deletes', 'from a page'),
    handle: remove,
  },
]

function customerId(call: Call): { id: number } | { problem: Problem } {
  const text = call.params.id ?? ''
  if (/^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))) return { id: Number(text) }
  return { problem: { code: 'customer-not-found', detail: `There is no customer ${JSON.stringify(text)}.` } }
}

async function read(call: Call): Promise<Answer> {
  const address = customerId(call)
  if ('problem' in address) return address
  const { store, addresses } = call.service
  const customer = await store.customer(address.id)
  if (customer === undefined) return { problem: refusalProblem({ code: 'customer-not-found', customer: address.id }) }
  const document = customerDocument(customer, addresses)
  if (call.representation !== 'html') return { status: 200, document, validators: customer }
  const page = await showCustomer(customer, call)
  return { status: 200, document: { ...document, ...(page && { page }) }, validators: customer }
}

const bodyOf = (call: Call): unknown =>
  call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, customerMembers)

async function create(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const failed = checkGuard(asked.guard, undefined)
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  return change(call, { kind: 'create', body: bodyOf(call), dryRun: asked.dryRun }, 201)
}

async function update(call: Call, kind: 'replace' | 'patch'): Promise<Answer> {
  const address = customerId(call)
  if ('problem' in address) return address
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  return change(call, { kind, id: address.id, body: bodyOf(call), guard: asked.guard, dryRun: asked.dryRun }, 200)
}

async function remove(call: Call): Promise<Answer> {
  const address = customerId(call)
  if ('problem' in address) return address
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const { guard, dryRun } = asked
  const superfluous = superfluousBody(call)
  if (superfluous === undefined) return change(call, { kind: 'delete', id: address.id, guard, dryRun }, 204)
  // Whether it is there and unchanged comes before what the body says, and that before whether deals name it.
  const tried = await call.service.store.changeCustomer({ kind: 'delete', id: address.id, guard, dryRun: true })
  const isRefused = tried.kind === 'refused' && tried.refusal.code !== 'customer-in-use'
  return isRefused ? { problem: refusalProblem(tried.refusal) } : superfluous
}

async function change(call: Call, wanted: CustomerChange, success: 200 | 201 | 204): Promise<Answer> {
  const { store, addresses } = call.service
  const outcome = await store.changeCustomer(wanted)
  if (outcome.kind === 'refused') {
    return { problem: await withRefusedCustomer(refusalProblem(outcome.refusal), wanted, call) }
  }
  const { customer } = outcome
  const minimal = prefersMinimal(call)
  if (wanted.dryRun) {
    if (minimal) return { status: 204, headers: { ...DRY_RUN, ...MINIMAL } }
    return { status: 200, headers: DRY_RUN, document: foreseen(customer, wanted, addresses) }
  }
  const removed = outcome.kind === 'removed'
  if (isFromPage(call)) {
    return { status: 303, headers: { location: removed ? addresses.customers : addresses.customer(customer.id) } }
  }
  if (removed) return { status: 204, headers: preferenceApplied(call) }
  const address = addresses.customer(customer.id)
  const headers = { 'content-location': address, ...(success === 201 && { location: address }) }
  const validators = customer
  if (minimal) return { status: success === 201 ? 201 : 204, headers: { ...headers, ...MINIMAL }, validators }
  return { status: success, headers, document: customerDocument(customer, addresses), validators }
}

function foreseen(customer: StoredCustomer, { kind }: CustomerChange, addresses: Addresses): Document {
  if (kind === 'create') return customerDraft(customer, addresses)
  const { forms: _forms, ...document } = customerDocument(customer, addresses)
  return document
}
