import type { Collection } from '../../queries/collection.ts'
import { type NamedQuery, namedQueries } from '../../queries/named-queries.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import type { Document } from '../../representations/document.ts'
import { type DataObject, isDataObject, readDocument } from '../../representations/read-document.ts'
import { asSegment } from '../../values/address.ts'
import type { Json } from '../../values/json/json.ts'
import type { Answer } from '../contract/answer.ts'
import type { Call } from '../contract/endpoint.ts'

/** The number of latest items that are read for examples, to bound the cost of an answer. */
const LOOKED_AT = 200

/** The named queries, each with an example that finds something now, or with a note about the parameter. */
export async function readNamedQueries(call: Call): Promise<Answer> {
  const { base } = call.service.addresses
  const seen = await latestItems(call)
  const items = namedQueries(call.schema).map((named) => {
    const { name, title, parameter } = named
    const address = `${base}/query/${name}/{${parameter.name}}`
    const value = exampleOf(named, seen.get(named.seenOn) ?? [])
    const about = { name, title, parameter: parameter.name, address }
    if (value !== undefined) return { ...about, example: `${base}/query/${name}/${asSegment(String(value))}` }
    return { ...about, example: null, note: `Put a value in place of {${parameter.name}}; none was found to show.` }
  })
  const columns = ['name', 'title', 'parameter', 'address', 'example', 'note']
  const json = JSON.stringify({ items, links: { self: `${base}/query` } })
  const itemAddress: Document['itemAddress'] = ({ example }) => (typeof example === 'string' ? example : undefined)
  return {
    status: 200,
    document: { title: 'Named queries', kind: 'page', item: 'query', columns, json, itemAddress, inEnglish: true },
  }
}

async function latestItems({ desk, schema }: Call): Promise<ReadonlyMap<Collection, readonly DataObject[]>> {
  const found = new Map<Collection, readonly DataObject[]>()
  for (const collection of new Set(namedQueries(schema).map(({ seenOn }) => seenOn))) {
    const parsed = parseQuery(collection, `sort=-${collection.key}&maxpagesize=${LOOKED_AT}`)
    if ('faults' in parsed) throw new Error(`${collection.name} cannot be read from its end`)
    const { items } = await desk.page(collection, [], parsed.query)
    found.set(collection, items.map(readDocument).filter(isDataObject))
  }
  return found
}

function exampleOf(named: NamedQuery, items: readonly DataObject[]): Json | undefined {
  for (const item of items) {
    const value = named.fitting(item)
    if (value !== undefined) return value
  }
  return undefined
}
