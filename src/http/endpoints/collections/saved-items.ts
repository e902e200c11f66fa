import type { SavedQueryFields } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import { askerOf, withCaller } from '../../../queries/parse/caller.ts'
import { parseQuery } from '../../../queries/parse/parse-query.ts'
import { isGrouped, narrowed, queryFaults, savable } from '../../../queries/parse/saved-query.ts'
import { type QueryString, readQueryString } from '../../../queries/query-string.ts'
import { carrying } from '../../../representations/representations.ts'
import type { Fault } from '../../../values/faults/fault.ts'
import { pointerTo } from '../../../values/json/pointer.ts'
import type { ListedItems } from '../../../values/listed-items.ts'
import type { Answer } from '../../contract/answer.ts'
import type { Call, Endpoint, OfferedAnswer } from '../../contract/endpoint.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import { sentencesOf } from '../../contract/problems/told-problem.ts'
import { findThing, titleOf } from '../things/find-thing.ts'
import type { CollectionAddress } from './collection-address.ts'
import { answersOf, latestFirst, readCollection, unusedSettings } from './collection-endpoint.ts'

/** The results of a resource's saved queries: the collection's own answer, at another address. decisions/0039 */
export function savedItems(schema: Schema, addresses: readonly CollectionAddress[]): readonly Endpoint[] {
  const known = new Map(
    [...savable(schema).keys()].map((name) => {
      const address = addresses.find(({ collection }) => collection.name === name)
      if (address === undefined) throw new Error(`${name} has no address`)
      return [name, address]
    }),
  )
  return schema.resources.flatMap((resource) => {
    const { savedQuery } = resource
    return savedQuery === undefined ? [] : [itemsOf(resource, savedQuery, known)]
  })
}

function itemsOf(resource: Resource, field: SavedQueryFields, known: ReadonlyMap<string, CollectionAddress>): Endpoint {
  const { name, path, roles } = resource
  return {
    method: 'GET',
    path: `${path}/:id/items`,
    role: roles.reads,
    summary: `What the ${name} gives`,
    offers: 'found',
    items: ofAnyKind(known),
    parameters: 'collection',
    describes: {
      group: titleOf(resource),
      // The address does not ask again for what the saved query asks for.
      answers: [...known.values()].flatMap(answersOf).map(({ askedBy: _saved, ...answer }) => answer),
      refuses: [`${name}-not-found`, 'empty-list', 'query-too-costly', 'saved-query-refused', 'events-trimmed'],
    },
    handle: (call) => findItems(resource, field, known, call),
  }
}

/** The members of all of the collections, for the representations of any of them. */
const ofAnyKind = (known: ReadonlyMap<string, CollectionAddress>): ListedItems =>
  Object.assign({}, ...[...known.values()].map(({ collection }) => collection).toReversed(), { item: 'item' })

async function findItems(
  resource: Resource,
  field: SavedQueryFields,
  known: ReadonlyMap<string, CollectionAddress>,
  call: Call,
): Promise<OfferedAnswer | { readonly problem: Problem }> {
  const found = await findThing(resource, call)
  if ('problem' in found) return found
  const { [field.collection]: name = '', [field.query]: saved = '' } = JSON.parse(found.thing.json)
  const faults = queryFaults(call.schema)(name, saved)
  const address = known.get(name)
  if (address === undefined || faults.length > 0) return { problem: outdated(resource, field, faults) }
  const query = readQueryString(saved)
  const available = carrying('page', address.collection).filter(
    ({ whole }) => !(whole?.hasOwnMembers && isGrouped(query)),
  )
  return { available, answer: (chosen) => readItems(address, query, chosen) }
}

function readItems(address: CollectionAddress, saved: QueryString, call: Call): Promise<Answer> {
  const { collection } = address
  const sort = call.whole?.isLatest ? latestFirst(collection) : address.sort
  const query = narrowed(saved, call.query, unusedSettings(call))
  const parsed = parseQuery(collection, query, { saved: query.saved, ...(sort && { sort }) })
  const asked = { ...call, query }
  return readCollection(address, withCaller(parsed, askerOf(call.schema, call.caller?.user ?? null)), asked, call.query)
}

function outdated({ name }: Resource, { query, collection }: SavedQueryFields, faults: readonly Fault[]): Problem {
  const errors = faults.map(({ at, ...fault }) => ({
    ...fault,
    at: at.parameter === undefined ? { pointer: pointerTo(collection) } : { pointer: pointerTo(query), ...at },
  }))
  const code = 'saved-query-refused'
  const text = 'The saved query of the {resource} no longer works: {why}.'
  return { code, detail: { text, with: { resource: name, why: sentencesOf({ code, errors }).join('; ') } }, errors }
}
