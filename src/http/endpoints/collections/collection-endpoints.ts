import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { ME } from '../../../model/nouns/user/user.ts'
import { type ProjectionOn, projectionsOf, referrersOf } from '../../../model/schema/resources.ts'
import type { Collection } from '../../../queries/collection.ts'
import { collectionNamed, collectionOf, collectionsOf, resourceOf } from '../../../queries/collections.ts'
import { type NamedQuery, namedQueries } from '../../../queries/named-queries.ts'
import { NOBODY } from '../../../queries/parse/caller.ts'
import type { Filter, Value } from '../../../queries/query.ts'
import { equals } from '../../../queries/term.ts'
import { label } from '../../../representations/html/label.ts'
import { readFilter } from '../../../values/kinds/kind.ts'
import type { Call, Endpoint } from '../../contract/endpoint.ts'
import { operationsIn, resourcesIn } from '../../contract/form.ts'
import { type Problem, wrongParameter } from '../../contract/problems/problem.ts'
import { keyInAddress, presentCommand, titleIn } from '../../respond/documents.ts'
import { findThing, titleOf } from '../things/find-thing.ts'
import type { CollectionAddress, CollectionScope } from './collection-address.ts'
import { collectionEndpoint } from './collection-endpoint.ts'
import { eventsAddress } from './event-endpoints.ts'
import { withLiveList } from './live-lists.ts'
import { savedItems } from './saved-items.ts'

const thingAddress =
  (resource: Resource, key = 'id'): NonNullable<CollectionAddress['itemAddress']> =>
  (item, { service }) => {
    const id = key === 'id' ? keyInAddress(resource, item) : item[key]
    return typeof id === 'number' || typeof id === 'string' ? service.addresses.thing(resource, id) : undefined
  }

const commandAddress: NonNullable<CollectionAddress['itemAddress']> = ({ id }, { service }) =>
  typeof id === 'string' ? service.addresses.command(id) : undefined

export function collectionEndpoints(schema: Schema): readonly Endpoint[] {
  const { resources } = schema
  const { commands } = collectionsOf(schema)
  const things = resources.map(thingsAddress)
  const addresses: readonly CollectionAddress[] = [
    ...resources.flatMap(referringAddresses),
    ...resources.flatMap(historyAddresses),
    {
      collection: commands,
      path: '/rest/commands',
      summary: 'Commands',
      present: presentCommand,
      itemAddress: commandAddress,
      screen: 'commands',
    },
    ...resourcesIn(schema, 'deal-command').map(commandsAddress),
    ...resources.flatMap(projectionsOf).map(projectionAddress),
    ...namedQueries(schema).map(namedAddress),
  ]
  const lists = resources.map((resource) => withLiveList(resource, collectionEndpoint(thingsAddress(resource))))
  return [...lists, ...addresses.map(collectionEndpoint), ...savedItems(schema, [...things, eventsAddress(schema)])]
}

function thingsAddress(resource: Resource): CollectionAddress {
  return {
    collection: collectionOf(resource),
    path: resource.path,
    summary: titleOf(resource),
    about: { group: titleOf(resource) },
    itemAddress: thingAddress(resource),
    screen: 'things',
    of: resource,
  }
}

const projectionAddress = ({ name, title, on, key }: ProjectionOn): CollectionAddress => ({
  collection: collectionNamed(on.schema, name),
  path: `/${name}`,
  summary: title,
  about: { group: titleOf(on) },
  itemAddress: thingAddress(on, key),
})

/** The things that refer to a thing, such as a deal's tasks. */
function referringAddresses(resource: Resource): readonly CollectionAddress[] {
  return referrersOf(resource).map(({ from, field }) => {
    const collection = collectionOf(from)
    return {
      collection,
      path: `${resource.path}/:id/${from.plural}`,
      summary: `The ${resource.name}'s ${from.plural}`,
      title: titleOf(from),
      about: { group: titleOf(from), refuses: [`${resource.name}-not-found`] },
      itemAddress: thingAddress(from),
      scope: (call) => ofThing(resource, call, (id) => [equals(collection, field, id)]),
      screen: 'things of one',
      of: from,
    }
  })
}

function commandsAddress(resource: Resource): CollectionAddress {
  const { commands } = collectionsOf(resource.schema)
  return {
    collection: commands,
    path: `${resource.path}/:id/commands`,
    summary: `Commands to the ${resource.name}`,
    title: 'Commands',
    about: { refuses: [`${resource.name}-not-found`] },
    present: presentCommand,
    itemAddress: commandAddress,
    scope: (call) => ofThing(resource, call, (id) => [equals(commands, resource.name, id)]),
    screen: 'commands of one',
  }
}

function historyAddresses(resource: Resource): readonly CollectionAddress[] {
  const { history } = collectionsOf(resource.schema)
  const all: CollectionAddress = {
    collection: history,
    path: `${resource.path}/:id/history`,
    summary: 'History',
    about: { group: `${titleOf(resource)}: History`, refuses: [`${resource.name}-not-found`] },
    itemAddress: entryAddress(resource, 'history'),
    scope: (call) => ofThing(resource, call, (id) => [equals(history, resource.name, id)]),
    async members({ params: { id = '' }, desk }) {
      const trimmed = await desk.trimmed.of(id)
      return trimmed === 0 ? {} : { trimmed }
    },
    screen: 'history',
    of: resource,
  }
  const nouns = operationsIn(resource, 'noun')
  const { members: _, ...ofEach } = all
  const each = nouns.map(({ name, words }) => ({
    ...ofEach,
    path: `${resource.path}/:id/${words.noun}`,
    summary: `The ${resource.name}'s ${words.noun.replaceAll('-', ' ')}`,
    title: label(words.noun),
    itemAddress: entryAddress(resource, words.noun),
    scope: (call: Call) =>
      ofThing(resource, call, (id) => [equals(history, resource.name, id), equals(history, 'operation', name)]),
  }))
  return [all, ...each]
}

function entryAddress(resource: Resource, noun: string): NonNullable<CollectionAddress['itemAddress']> {
  return ({ revision }, { service, params }) =>
    typeof revision === 'number' && params.id !== undefined
      ? `${service.addresses.thing(resource, params.id)}/${noun}/${revision}`
      : undefined
}

/** Scopes to a thing that exists or was deleted: its history stays readable. */
async function ofThing(
  resource: Resource,
  call: Call,
  scope: (id: Key) => Filter,
): Promise<CollectionScope | { problem: Problem }> {
  const found = await findThing(resource, call)
  if ('problem' in found) return found
  return { scope: scope(found.thing.id), about: titleIn(resource, found.thing.json) }
}

function namedAddress(named: NamedQuery): CollectionAddress {
  const { name, title, collection, parameter, sort } = named
  return {
    collection,
    path: `/query/${name}/:parameter`,
    summary: title,
    sort,
    bare: true,
    inEnglish: true,
    about: {
      group: 'Queries',
      parameter: { description: parameter.name, schema: parameter.kind.schema, example: parameter.example },
    },
    ...itemAddressIn(collection),
    async scope(call) {
      const { parameter: sent = '' } = call.params
      const user = parameter.kind.namesUser && sent === ME ? (call.caller?.user ?? null) : sent
      if (user === null) return { problem: wrongParameter(parameter.name, NOBODY) }
      const read = readFilter(parameter.kind, user)
      if ('value' in read) return { scope: named.scope(read.value as Value) }
      return { problem: wrongParameter(parameter.name, read.fault) }
    },
  }
}

function itemAddressIn(collection: Collection): Pick<CollectionAddress, 'itemAddress'> {
  const resource = resourceOf(collection)
  return resource === undefined ? {} : { itemAddress: thingAddress(resource) }
}
