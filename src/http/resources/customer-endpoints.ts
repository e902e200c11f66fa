import { type CustomerChange, customerMembers } from '../../model/customer/change.ts'
import { checkGuard } from '../../values/guard.ts'
import { showCustomer, showRefusedCustomer } from '../../views/customer/read.ts'
import type { Answer } from '../answer.ts'
import type { Call, Endpoint, MediaType } from '../endpoint.ts'
import { fromFields } from '../forms/parameters.ts'
import type { Description } from '../openapi/description.ts'
import { readWritingWithoutKey, superfluousBody } from '../request/write-options.ts'
import { answerWrite } from '../respond/answer-write.ts'
import { customerDocument } from '../respond/documents.ts'
import { customerDraft } from '../respond/drafts.ts'
import { type Problem, refusalProblem, withView } from '../respond/problem.ts'
import { changed, created, removed, thing, type WriteSuccess } from '../respond/success.ts'

const json: readonly MediaType[] = ['application/json']
const jsonOrForm: readonly MediaType[] = ['application/json', 'application/x-www-form-urlencoded']
const writing = { role: 'editor', offers: 'resource', parameters: ['dry-run'] } as const
/** Deleting is final. */
const removing = { ...writing, role: 'admin' } as const

const update = changed('customers')
const successes: Readonly<Record<CustomerChange['kind'], WriteSuccess>> = {
  create: created('customers'),
  replace: update,
  patch: update,
  delete: removed('customers'),
}

const refusesChanges = ['customer-not-found', 'stale-revision', 'revision-required', 'invalid-body'] as const
const group = 'Customers'
const patches: Description = { group, takes: 'CustomerPatch', answers: [successes.patch], refuses: refusesChanges }
const deletes: Description = {
  group,
  answers: [successes.delete],
  refuses: [...refusesChanges, 'customer-in-use'],
}

/** A customer and its changes; the collection is read elsewhere, as every collection is. */
export const customerEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/customers/:id',
    role: 'reader',
    offers: 'resource',
    summary: 'A customer',
    describes: { group, answers: [thing('customers')], refuses: ['customer-not-found'] },
    handle: read,
  },
  {
    ...writing,
    method: 'POST',
    path: '/customers',
    summary: 'Create a customer',
    reads: jsonOrForm,
    describes: { group, takes: 'CustomerBody', answers: [successes.create], refuses: ['invalid-body'] },
    handle: create,
  },
  {
    ...writing,
    method: 'PUT',
    path: '/customers/:id',
    summary: 'Replace a customer',
    reads: json,
    describes: { group, takes: 'CustomerReplacement', answers: [successes.replace], refuses: refusesChanges },
    handle: (call) => save(call, 'replace'),
  },
  {
    ...writing,
    method: 'PATCH',
    path: '/customers/:id',
    summary: 'Change some fields of a customer',
    reads: ['application/merge-patch+json', 'application/json'],
    describes: patches,
    handle: (call) => save(call, 'patch'),
  },
  {
    ...removing,
    method: 'DELETE',
    path: '/customers/:id',
    summary: 'Delete a customer',
    describes: deletes,
    handle: remove,
  },
  {
    ...writing,
    method: 'POST',
    path: '/customers/:id/edits',
    summary: 'Change a customer, from a page',
    reads: jsonOrForm,
    describes: patches,
    // A form shows every field, so one that was left empty was emptied.
    handle: (call) => save(call, call.fields === undefined ? 'patch' : 'replace'),
  },
  {
    ...removing,
    method: 'POST',
    path: '/customers/:id/deletions',
    summary: 'Delete a customer, from a page',
    reads: jsonOrForm,
    describes: deletes,
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
  return { status: 200, document: { ...document, page: await showCustomer(customer, call) }, validators: customer }
}

const bodyOf = (call: Call): unknown =>
  call.fields === undefined ? (call.body ?? {}) : fromFields(call.fields, customerMembers)

async function create(call: Call): Promise<Answer> {
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const failed = checkGuard(asked.guard, undefined)
  if (failed !== undefined) return { problem: refusalProblem(failed) }
  return change(call, { kind: 'create', body: bodyOf(call), dryRun: asked.dryRun })
}

async function save(call: Call, kind: 'replace' | 'patch'): Promise<Answer> {
  const address = customerId(call)
  if ('problem' in address) return address
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  return change(call, { kind, id: address.id, body: bodyOf(call), guard: asked.guard, dryRun: asked.dryRun })
}

async function remove(call: Call): Promise<Answer> {
  const address = customerId(call)
  if ('problem' in address) return address
  const asked = readWritingWithoutKey(call)
  if ('problem' in asked) return asked
  const { guard, dryRun } = asked
  const superfluous = superfluousBody(call)
  if (superfluous === undefined) return change(call, { kind: 'delete', id: address.id, guard, dryRun })
  // Whether it is there and unchanged comes before what the body says, and that before whether deals name it.
  const tried = await call.service.store.changeCustomer({ kind: 'delete', id: address.id, guard, dryRun: true })
  const isRefused = tried.kind === 'refused' && tried.refusal.code !== 'customer-in-use'
  return isRefused ? { problem: refusalProblem(tried.refusal) } : superfluous
}

async function change(call: Call, wanted: CustomerChange): Promise<Answer> {
  const { store, addresses } = call.service
  const outcome = await store.changeCustomer(wanted)
  if (outcome.kind === 'refused') {
    return {
      problem: await withView(refusalProblem(outcome.refusal), (refusal) => showRefusedCustomer(refusal, wanted, call)),
    }
  }
  const { customer } = outcome
  const { kind, dryRun } = wanted
  const address = addresses.customer(customer.id)
  const document = () => customerDocument(customer, addresses)
  const foreseen = kind === 'create' ? () => customerDraft(customer, addresses) : document
  const next = kind === 'delete' ? addresses.customers : address
  return answerWrite(successes[kind], { dryRun, document, foreseen, address, validators: customer, next }, call)
}
