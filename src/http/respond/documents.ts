import { allowedOperations } from '../../model/deal/operations.ts'
import type { Operation } from '../../model/operation.ts'
import type { Command } from '../../model/perform.ts'
import type { Document } from '../../representations/document.ts'
import type { StoredCustomer, StoredDeal, StoredEvent } from '../../store/port/store.ts'
import { mayOnlyRead } from '../../values/role.ts'
import { customerForms, dealForms } from '../../views/page-forms/operation-form.ts'
import type { Addresses } from '../addresses.ts'
import type { Call } from '../endpoint.ts'
import { problemMembers, refusalProblem } from './problem.ts'

// Turns outcomes and stored things into documents: adds the links, nothing else.

/** A reader sees no operations. */
export function dealDocument(deal: StoredDeal, addresses: Addresses, forReader = false): Document {
  return {
    title: () => nameIn(deal.json),
    kind: 'resource',
    item: 'deal',
    json: `${deal.json.slice(0, -1)},"links":${dealLinks(deal, addresses, forReader)}}`,
    forms: () => (forReader ? [] : dealForms(deal, addresses, new Date().toISOString())),
  }
}

const nameIn = (json: string): string => (JSON.parse(json) as { readonly name: string }).name

function dealLinks(deal: StoredDeal, addresses: Addresses, forReader: boolean): string {
  const self = addresses.deal(deal.id)
  const customer = deal.customerId === null ? '' : `,"customer":"${addresses.customer(deal.customerId)}"`
  const operations = forReader ? '' : aroundSelf(allowedOperations(deal, deal.deletedAt ?? '')).join(self)
  return `{"self":"${self}","collection":"${addresses.deals}","history":"${self}/history","actions":"${self}/actions"${customer},"operations":{${operations}}}`
}

/** The links to operations, split at the deal's address: every answer has them, and a join is quick. */
function aroundSelf(operations: readonly Operation[]): readonly string[] {
  const known = cuts.get(operations)
  if (known !== undefined) return known
  const cut = operations.map(({ name }) => `"${name}":"\n/${name}"`).join(',')
  cuts.set(operations, cut.split('\n'))
  return aroundSelf(operations)
}

const cuts = new WeakMap<readonly Operation[], readonly string[]>()

export function customerDocument(customer: StoredCustomer, addresses: Addresses): Document {
  const { id, json } = customer
  const links = {
    self: addresses.customer(id),
    collection: addresses.customers,
    deals: `${addresses.deals}?customerId=${id}`,
  }
  const forms = () => customerForms(customer, addresses)
  return { title: () => nameIn(json), kind: 'resource', item: 'customer', json: withLinks(json, links), forms }
}

export function entryDocument(event: StoredEvent, deal: string, noun: string, addresses: Addresses): Document {
  const links = { self: addresses.entry(deal, noun, event.revision), deal: addresses.deal(deal) }
  return {
    title: `${event.operation} of ${event.at}`,
    kind: 'resource',
    item: 'entry',
    json: withLinks(event.entry, links),
  }
}

export function commandDocument(command: Command, addresses: Addresses, forReader = false): Document {
  const links = { self: addresses.command(command.id), deal: addresses.deal(command.deal) }
  const json = JSON.stringify({ ...commandMembers(command, addresses, forReader), links })
  return { title: `Command ${command.id}`, kind: 'resource', item: 'command', json }
}

/** A stored command as an item of a collection. */
export const presentCommand = (json: string, call: Call): string =>
  JSON.stringify(commandMembers(JSON.parse(json) as Command, call.service.addresses, mayOnlyRead(call)))

function commandMembers(command: Command, addresses: Addresses, forReader: boolean) {
  const { id, deal, action, params, status, refusal, revision, decidedAt } = command
  const told = refusal && forReader ? { ...refusal, allowed: [] } : refusal
  const problem = told && { problem: problemMembers(refusalProblem(told), addresses) }
  return { id, deal, action, params, status, ...problem, revision, decidedAt }
}

const withLinks = (json: string, links: { readonly [name: string]: string }): string =>
  `${json.slice(0, -1)},"links":${JSON.stringify(links)}}`
