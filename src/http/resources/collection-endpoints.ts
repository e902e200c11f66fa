import { dealOperations } from '../../model/deal/operations.ts'
import { type Collection, fieldOf } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import { namedQueries } from '../../queries/named-queries.ts'
import type { NamedQuery } from '../../queries/named-query.ts'
import type { Filter, Value } from '../../queries/query.ts'
import { label } from '../../representations/html/label.ts'
import { readFilter } from '../../values/kind.ts'
import { mayOnlyRead } from '../../values/role.ts'
import { showCommands } from '../../views/commands/read.ts'
import { showCustomers } from '../../views/customers/read.ts'
import { showDeals } from '../../views/deals/read.ts'
import { showHistory } from '../../views/history/read.ts'
import { creationForm, customerCreationForm } from '../../views/page-forms/operation-form.ts'
import type { Call, Endpoint } from '../endpoint.ts'
import { DEALS } from '../forms/form.ts'
import { presentCommand } from '../respond/documents.ts'
import { type Problem, parameterProblem } from '../respond/problem.ts'
import { type CollectionAddress, collectionEndpoint } from './collection-endpoint.ts'
import { findDeal } from './deal-reads.ts'

const { customers, deals, history, commands } = collections

const customerAddress: NonNullable<CollectionAddress['itemAddress']> = ({ id }, { service }) =>
  typeof id === 'number' ? service.addresses.customer(id) : undefined

const dealAddress: NonNullable<CollectionAddress['itemAddress']> = ({ id }, { service }) =>
  typeof id === 'string' ? service.addresses.deal(id) : undefined

const commandAddress: NonNullable<CollectionAddress['itemAddress']> = ({ id }, { service }) =>
  typeof id === 'string' ? service.addresses.command(id) : undefined

/** Every list that can be read. */
export const collectionEndpoints: readonly Endpoint[] = [
  {
    collection: customers,
    path: '/customers',
    summary: 'Customers',
    itemAddress: customerAddress,
    forms: (call: Call) => (mayOnlyRead(call) ? [] : [customerCreationForm(call)]),
    page: showCustomers,
  },
  {
    collection: deals,
    path: DEALS,
    summary: 'Deals',
    itemAddress: dealAddress,
    forms: (call: Call) => (mayOnlyRead(call) ? [] : [creationForm(call)]),
    page: showDeals,
  },
  ...historyAddresses(),
  {
    collection: commands,
    path: '/rest/commands',
    summary: 'Commands',
    present: presentCommand,
    itemAddress: commandAddress,
    page: showCommands,
  },
  {
    collection: commands,
    path: `${DEALS}/:id/commands`,
    summary: 'Commands to the deal',
    about: { refuses: ['deal-not-found'] } as const,
    present: presentCommand,
    itemAddress: commandAddress,
    scope: (call: Call) => ofDeal(call, (deal) => [equals(commands, 'deal', deal)]),
    page: showCommands,
  },
  ...namedQueries.map(namedAddress),
].map(collectionEndpoint)

function historyAddresses(): readonly CollectionAddress[] {
  const all: CollectionAddress = {
    collection: history,
    path: `${DEALS}/:id/history`,
    summary: 'History',
    about: { refuses: ['deal-not-found'] },
    itemAddress: entryAddress('history'),
    scope: (call) => ofDeal(call, (deal) => [equals(history, 'deal', deal)]),
    page: showHistory('History'),
  }
  const each = dealOperations.map(({ name, words }) => ({
    ...all,
    path: `${DEALS}/:id/${words.noun}`,
    summary: `The deal's ${words.noun.replaceAll('-', ' ')}`,
    itemAddress: entryAddress(words.noun),
    scope: (call: Call) => ofDeal(call, (deal) => [equals(history, 'deal', deal), equals(history, 'operation', name)]),
    page: showHistory(label(words.noun)),
  }))
  return [all, ...each]
}

function entryAddress(noun: string): NonNullable<CollectionAddress['itemAddress']> {
  return ({ revision }, { service, params }) =>
    typeof revision === 'number' && params.id !== undefined
      ? service.addresses.entry(params.id, noun, revision)
      : undefined
}

/** Of a deal that exists, or existed: what happened to a deleted one stays readable. */
async function ofDeal(call: Call, scope: (deal: string) => Filter): Promise<{ scope: Filter } | { problem: Problem }> {
  const found = await findDeal(call)
  return 'problem' in found ? found : { scope: scope(found.deal.id) }
}

function namedAddress(named: NamedQuery): CollectionAddress {
  const { name, title, collection, parameter, sort } = named
  return {
    collection,
    path: `/query/${name}/:parameter`,
    summary: title,
    sort,
    bare: true,
    about: {
      group: 'Queries',
      parameter: { description: parameter.name, schema: parameter.kind.schema, example: parameter.example },
    },
    ...(collection === deals && { itemAddress: dealAddress }),
    ...(collection === customers && { itemAddress: customerAddress }),
    async scope(call) {
      const read = readFilter(parameter.kind, call.params.parameter ?? '')
      if ('value' in read) return { scope: named.scope(read.value as Value) }
      return { problem: parameterProblem([{ parameter: parameter.name, detail: read.fault }]) }
    },
  }
}

function equals(collection: Collection, name: string, value: Value): Filter[number] {
  return { field: fieldOf(collection, name), operator: 'eq', values: [value] }
}
