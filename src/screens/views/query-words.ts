import { say } from '../../languages/say.ts'
import { joined, type Text } from '../../languages/text.ts'
import type { Schema } from '../../model/declaration/schema.ts'
import type { SavedView } from '../../model/nouns/view/view.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { queryFaults } from '../../queries/parse/saved-query.ts'
import { readQueryString } from '../../queries/query-string.ts'
import type { Markup } from '../../representations/markup/markup.ts'
import { withQuery } from '../../values/address.ts'
import { conditionsIn } from '../filters/filter-bar.ts'
import { mark } from '../parts/marks.ts'

type WordedQuery = Pick<SavedView, 'collection' | 'query'>

/** The filters of a saved query in words; a collection that is gone has none. */
export function queryWords({ collection, query }: WordedQuery, schema: Schema): Text {
  const found = Object.values(collectionsOf(schema)).find(({ name }) => name === collection)
  const conditions = found === undefined ? [] : conditionsIn(found, readQueryString(query).parameters)
  return conditions.length === 0
    ? say('None|filters')
    : joined(
        conditions.map(({ words }) => words),
        ' · ',
      )
}

/** The mark of a query that its collection no longer understands, as after a field has gone; undefined for others. */
export const brokenMark = ({ collection, query }: WordedQuery, schema: Schema): Markup | undefined =>
  queryFaults(schema)(collection, query).length === 0 ? undefined : mark('off', say('No longer works'))

/** The list that a saved query shows, with its path; undefined if it has no page of its own. */
export function listOf({ collection, query }: WordedQuery, { resources }: Schema): string | undefined {
  const path = resources.find(({ plural }) => plural === collection)?.path
  return path && withQuery(path, readQueryString(query).parameters)
}
