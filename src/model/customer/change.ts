import { checkGuard, type Guard, type GuardRefusal, staleRevision } from '../../values/guard.ts'
import { type Fault, isObject, NO_OBJECT, optional, readMembers, required, withDefault } from '../../values/members.ts'
import { notBefore } from '../../values/time.ts'
import { type Customer, customerFields } from './customer.ts'

/** What a client asks to be done with a customer. */
export type CustomerChange = { readonly dryRun: boolean } & (
  | { readonly kind: 'create'; readonly body: unknown }
  | { readonly kind: 'replace' | 'patch'; readonly id: number; readonly body: unknown; readonly guard: Guard }
  | { readonly kind: 'delete'; readonly id: number; readonly guard: Guard }
)

export type CustomerRefusal =
  | { readonly code: 'customer-not-found'; readonly customer: number }
  | { readonly code: 'customer-in-use'; readonly customer: number }
  | GuardRefusal
  | { readonly code: 'invalid'; readonly faults: readonly Fault[] }

export interface CustomerFacts {
  readonly customer: Customer | undefined
  /** When it came into the state before. */
  readonly previousAt?: string | null | undefined
  /** Whether any deal, deleted ones included, names the customer. */
  readonly inUse: boolean
  readonly now: string
}

/** A customer without an id is a new one: the store assigns it. */
export type CustomerVerdict =
  | { readonly save: Omit<Customer, 'id'> & { readonly id?: number } }
  | { readonly keep: Customer }
  | { readonly remove: Customer }
  | { readonly refused: CustomerRefusal }

/** Given by the client; everything else about a customer is the service's. */
const given = {
  name: required(customerFields.name),
  email: withDefault(customerFields.email, null),
  age: withDefault(customerFields.age, null),
  children: withDefault(customerFields.children, null),
  country: withDefault(customerFields.country, null),
}
export const customerMembers = given

export const patchedMembers = {
  name: optional(customerFields.name),
  email: optional(customerFields.email),
  age: optional(customerFields.age),
  children: optional(customerFields.children),
  country: optional(customerFields.country),
}

const assigned = ['id', 'createdAt', 'updatedAt', 'revision'] as const

export function decideCustomerChange(change: CustomerChange, facts: CustomerFacts): CustomerVerdict {
  const { customer, previousAt = null, inUse, now } = facts
  if (change.kind === 'create') {
    const read = readMembers(given, change.body)
    if ('faults' in read) return { refused: { code: 'invalid', faults: read.faults } }
    return { save: { ...read.values, createdAt: now, updatedAt: now, revision: 1 } }
  }
  if (customer === undefined) return { refused: { code: 'customer-not-found', customer: change.id } }
  const stale = checkGuard(change.guard, { ...customer, previousAt })
  if (stale !== undefined) return { refused: stale }
  if (change.kind === 'delete') {
    return inUse ? { refused: { code: 'customer-in-use', customer: customer.id } } : { remove: customer }
  }
  return decideUpdate(customer, change.kind, change.body, now)
}

function decideUpdate(customer: Customer, kind: 'replace' | 'patch', raw: unknown, now: string): CustomerVerdict {
  if (!isObject(raw)) return invalid([{ pointer: '', detail: NO_OBJECT }])
  const { links: _links, ...body } = raw
  if (Number.isInteger(body.revision) && body.revision !== customer.revision) {
    return { refused: staleRevision(customer) }
  }
  const faults: Fault[] = []
  const sent: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    const own = assigned.find((field) => field === name)
    if (own === undefined) sent[name] = value
    else if (value !== customer[own]) faults.push({ pointer: `/${name}`, detail: 'is assigned by the service' })
  }
  const read = readMembers(kind === 'replace' ? given : patchedMembers, sent)
  if ('faults' in read) return invalid([...faults, ...read.faults])
  if (faults.length > 0) return invalid(faults)
  const wanted: Customer = { ...customer, ...read.values }
  const differs = Object.keys(patchedMembers).some(
    (name) => wanted[name as keyof Customer] !== customer[name as keyof Customer],
  )
  if (!differs) return { keep: customer }
  return { save: { ...wanted, updatedAt: notBefore(customer.updatedAt, now), revision: customer.revision + 1 } }
}

const invalid = (faults: readonly Fault[]): CustomerVerdict => ({ refused: { code: 'invalid', faults } })
