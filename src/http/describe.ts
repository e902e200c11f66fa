import type { Markings } from '../deals/deal.ts'
import { allowedOperations } from '../deals/operations.ts'
import type { Command } from '../perform.ts'
import type { Document } from '../representations/document.ts'
import type { StoredCustomer, StoredDeal, StoredEvent } from '../store/store.ts'
import type { Addresses } from './addresses.ts'
import type { Call } from './endpoint.ts'
import { customerForms, dealForms } from './page-forms.ts'
import { problemMembers, refusalProblem } from './problem.ts'

// Outcomes and stored things become documents here: the links are added, nothing else.

export function dealDocument(deal: StoredDeal, addresses: Addresses): Document {
  const shown = JSON.parse(deal.json) as Markings & { readonly name: string; readonly customerId: number | null }
  return {
    title: shown.name,
    kind: 'resource',
    item: 'deal',
    json: `${deal.json.slice(0, -1)},"links":${dealLinks(deal.id, shown, addresses)}}`,
    forms: () => dealForms(deal, addresses),
  }
}

function dealLinks(id: string, deal: Markings & { readonly customerId: number | null }, addresses: Addresses): string {
  const self = addresses.deal(id)
  const customer = deal.customerId === null ? '' : `,"customer":"${addresses.customer(deal.customerId)}"`
  let list = ''
  for (const { name } of allowedOperations(deal, deal.deletedAt ?? '')) {
    list += `${list === '' ? '' : ','}"${name}":"${self}/${name}"`
  }
  return `{"self":"${self}","collection":"${addresses.deals}","history":"${self}/history","actions":"${self}/actions"${customer},"operations":{${list}}}`
}

export function customerDocument(customer: StoredCustomer, addresses: Addresses): Document {
  const { id, json } = customer
  const { name } = JSON.parse(json) as { readonly name: string }
  const links = {
    self: addresses.customer(id),
    collection: addresses.customers,
    deals: `${addresses.deals}?customerId=${id}`,
  }
  const forms = () => customerForms(customer, addresses)
  return { title: name, kind: 'resource', item: 'customer', json: withLinks(json, links), forms }
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

export function commandDocument(command: Command, addresses: Addresses): Document {
  const links = { self: addresses.command(command.id), deal: addresses.deal(command.deal) }
  const json = JSON.stringify({ ...commandMembers(command, addresses), links })
  return { title: `Command ${command.id}`, kind: 'resource', item: 'command', json }
}

/** A stored command as an item of a collection. */
export const presentCommand = (json: string, { service }: Call): string =>
  JSON.stringify(commandMembers(JSON.parse(json) as Command, service.addresses))

function commandMembers(command: Command, addresses: Addresses) {
  const { id, deal, action, params, status, refusal, revision, decidedAt } = command
  const problem = refusal && { problem: problemMembers(refusalProblem(refusal), addresses) }
  return { id, deal, action, params, status, ...problem, revision, decidedAt }
}

const withLinks = (json: string, links: { readonly [name: string]: string }): string =>
  `${json.slice(0, -1)},"links":${JSON.stringify(links)}}`
