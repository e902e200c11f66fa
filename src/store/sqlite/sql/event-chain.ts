import type { EventChain, KeyIs } from '../../sql/dialect.ts'
import { join, raw, type Sql, sql } from '../../sql/sql.ts'

const MILESTONE = 'milestone = 1'

/** The events of things, from the last of each to the first. decisions/0060 */
export const eventChain: EventChain = {
  previous: 'previous',
  milestone: MILESTONE,
  events: ({ plural }, is, some) => {
    if (some === undefined) return chained([milestones(is, []), latestOf(plural, is)])
    const { bounds, descending, limit } = some
    const within = nearest(is, bounds, descending, limit)
    if (!descending || bounds.length === 0) return chained([within, latestOf(plural, is)])
    // The milestone after the bounds leads to events within them.
    const after = nearest(is, [sql`NOT (${join(bounds, ' AND ')})`], false, raw('1'))
    return chained([within, after, latestOf(plural, is)])
  },
  near: ({ plural }, is, revision) =>
    chained([
      nearest(is, [raw(`revision >= ${revision}`)], false, raw('1')),
      nearest(is, [raw(`revision < ${revision}`)], true, raw('1')),
      latestOf(plural, is),
    ]),
}

/** From some events on, each part ends before a milestone, with which another part begins. */
const chained = (beginning: readonly Sql[]): Sql => sql`WITH RECURSIVE told (place, previous) AS (
  ${join(beginning, ' UNION ALL ')} UNION ALL SELECT earlier.sequence, earlier.previous
    FROM told CROSS JOIN events AS earlier ON earlier.sequence = told.previous AND earlier.milestone = 0
  ) SELECT place FROM told`

const milestones = (is: KeyIs, bounds: readonly Sql[]): Sql =>
  sql`SELECT sequence, previous FROM events AS milestones
    WHERE ${join([is('milestones.subject'), raw(MILESTONE), ...bounds], ' AND ')}`

const nearest = (is: KeyIs, bounds: readonly Sql[], descending: boolean, limit: Sql): Sql =>
  sql`SELECT sequence, previous FROM (${milestones(is, bounds)} ORDER BY revision ${descending ? 'DESC' : 'ASC'} LIMIT ${limit})`

const latestOf = (table: string, is: KeyIs): Sql =>
  sql`SELECT sequence, previous FROM events AS latest
    WHERE sequence IN (SELECT last_event FROM ${table} AS things WHERE ${is('things.id')}) AND milestone = 0`
