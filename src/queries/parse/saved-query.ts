import { bySchema } from '../../model/declaration/by-schema.ts'
import type { QueryFaults } from '../../model/declaration/operation.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import { near, reason } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import type { Collection } from '../collection.ts'
import { collectionNamed, collectionsOf } from '../collections.ts'
import type { Filter } from '../query.ts'
import type { Parameter, QueryString } from '../query-string.ts'
import { placeNames, settingNamed, spellingsOf } from '../settings.ts'
import { type ParsedQuery, parseQuery } from './parse-query.ts'

/** The collections of saved queries: those that every reader may read at one address. */
export const savable = bySchema((schema: Schema): ReadonlyMap<string, Collection> => {
  const things = schema.resources.map(({ plural }) => collectionNamed(schema, plural))
  return new Map([...things, collectionsOf(schema).events].map((each) => [each.name, each]))
})

export const queryFaults = bySchema(
  (schema: Schema): QueryFaults =>
    (name, query) => {
      const parsed = parseSaved(schema, name, query)
      return 'faults' in parsed ? parsed.faults : []
    },
)

/** The filter of a saved query; undefined if the schema does not understand the query. */
export function savedFilter(schema: Schema, name: string, query: string): Filter | undefined {
  const parsed = parseSaved(schema, name, query)
  return 'query' in parsed ? parsed.query.filter : undefined
}

function parseSaved(schema: Schema, name: string, query: string): ParsedQuery {
  const collection = savable(schema).get(name)
  if (collection !== undefined) return parseQuery(collection, query)
  return { faults: [{ ...reason('unknown-collection', near(nearest(name, savable(schema).keys()))), at: {} }] }
}

/** A saved query with a request's own parameters: filters narrow it further, settings replace its own. */
export interface NarrowedQuery extends QueryString {
  /** The saved parameters: a filter of the request is not merged with theirs. */
  readonly saved: ReadonlySet<Parameter>
}

/** `unused` are the settings that do not apply to the negotiated format: saved ones are ignored. */
export function narrowed(saved: QueryString, asked: QueryString, unused: ReadonlySet<string>): NarrowedQuery {
  const names = asked.parameters.map(({ name }) => name)
  const replaced = new Set(names.map(settingNamed))
  const groupsItems = isGrouped(asked) && !isGrouped(saved)
  const kept = saved.parameters.filter(({ name }) => {
    const setting = settingNamed(name)
    if (setting === undefined) return true
    // The format was negotiated for the request, and a list starts at its beginning.
    if (setting === 'format' || placeNames.has(name) || replaced.has(setting) || unused.has(name)) return false
    return !(groupsItems && ofItems.has(name))
  })
  return { ...asked, text: '', parameters: [...kept, ...asked.parameters], saved: new Set(kept) }
}

const groupNames = spellingsOf('group', 'measure')

/** The settings that apply to items and not to groups. */
const ofItems = spellingsOf('sort', 'fields', 'expand')

/** Whether a query asks for groups instead of items. */
export const isGrouped = ({ parameters }: QueryString): boolean => parameters.some(({ name }) => groupNames.has(name))
