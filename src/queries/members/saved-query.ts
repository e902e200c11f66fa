import type { QueryFaults } from '../../model/operation.ts'
import { resources } from '../../model/resources.ts'
import { didYouMean } from '../../values/nearest.ts'
import type { Collection } from '../collection.ts'
import { collectionNamed, collections } from '../collections.ts'
import { parseQuery } from '../parse-query.ts'
import { type Parameter, type QueryString, readQueryString } from '../query-string.ts'
import { placeNames, settingNamed } from '../settings.ts'

/** The collections that a saved query can be of: those that everybody who reads may read at one address. */
export const savable: ReadonlyMap<string, Collection> = new Map(
  [...resources.map(({ plural }) => collectionNamed(plural)), collections.events].map((each) => [each.name, each]),
)

export const queryFaults: QueryFaults = (name, query) => {
  const collection = savable.get(name)
  if (collection === undefined) return [{ detail: `names no collection${didYouMean(name, savable.keys())}` }]
  const parsed = parseQuery(collection, query)
  return 'faults' in parsed ? parsed.faults.map(({ parameter, detail }) => ({ parameter, detail })) : []
}

/** A saved query and what a request asks besides: filters narrow it further, settings replace its own. */
export interface NarrowedQuery extends QueryString {
  /** The parameters that were saved: a filter of the request is not merged with theirs. */
  readonly saved: ReadonlySet<Parameter>
}

export function narrowed(saved: string, asked: QueryString): NarrowedQuery {
  const names = asked.parameters.map(({ name }) => name)
  const replaced = new Set(names.map(settingNamed))
  const hasPlace = names.some((name) => placeNames.has(name))
  const kept = readQueryString(saved).parameters.filter(({ name }) => {
    const setting = settingNamed(name)
    // The format was negotiated for the request.
    if (setting === undefined) return true
    return setting !== 'format' && !replaced.has(setting) && !(hasPlace && placeNames.has(name))
  })
  return { ...asked, text: '', parameters: [...kept, ...asked.parameters], saved: new Set(kept) }
}
