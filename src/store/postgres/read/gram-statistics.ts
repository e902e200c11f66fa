import { gramsOf, gramTable, hasGram } from '../../select/grams.ts'
import type { Connections } from '../connect/connections.ts'

/** The database's statistics about the grams of a table. */
export interface GramStatistics {
  /** The number of rows that may have a text: at most as many as have the rarest of its grams. */
  atMost(text: string): number
  /** The estimated number of rows that have all of some texts; undefined if nothing is known. */
  expected(texts: readonly string[]): number | undefined
}

/** Milliseconds until they are read again; they change when the table is analyzed. */
const AGAIN = 60_000

/** No search waits for them: until they are read, every text may be common. */
export function gramStatistics(read: Connections['scan']): (table: string) => GramStatistics {
  const known = new Map<string, GramStatistics>()
  const askedAt = new Map<string, number>()
  return (table) => {
    if (performance.now() - (askedAt.get(table) ?? Number.NEGATIVE_INFINITY) > AGAIN) {
      askedAt.set(table, performance.now())
      read(STATISTICS, [gramTable(table)])
        .then((rows) => known.set(table, statisticsOf(rows)))
        // If the database is unavailable, the search itself reports it.
        .catch(() => {})
    }
    return known.get(table) ?? UNKNOWN
  }
}

const UNKNOWN: GramStatistics = {
  atMost: () => Number.POSITIVE_INFINITY,
  expected: () => undefined,
}

const STATISTICS = {
  name: 'gram-statistics',
  text: `SELECT reltuples, array_to_json(most_common_elems::text::text[]), array_to_json(most_common_elem_freqs)
    FROM pg_class JOIN pg_stats ON schemaname = relnamespace::regnamespace::text AND tablename = relname
    WHERE pg_class.oid = to_regclass($1) AND attname = 'grams'`,
}

function statisticsOf([row]: readonly (readonly unknown[])[]): GramStatistics {
  const [tuples, grams, frequencies] = row ?? []
  if (typeof grams !== 'string' || typeof frequencies !== 'string') return UNKNOWN
  const rows = Number(tuples)
  const [common, shares] = [JSON.parse(grams) as readonly string[], JSON.parse(frequencies) as readonly number[]]
  const known = new Map(common.map((gram, at) => [gram, shares[at] ?? 1]))
  // The shares of the grams are followed by the least of them.
  const least = shares[common.length] ?? 1
  const shareOf = (gram: string): number => known.get(gram) ?? least
  const startingWith = (text: string): number =>
    Math.min(1, sum([...known].map(([gram, share]) => (gram.startsWith(text) ? share : 0))))
  return {
    atMost: (text) => (hasGram(text) ? rows * Math.min(...gramsOf(text).map(shareOf)) : rows),
    // Overlapping grams occur together; others are assumed to be independent.
    expected: (texts) =>
      rows * product(texts.map((text) => (hasGram(text) ? product(apart(text).map(shareOf)) : startingWith(text)))),
  }
}

/** The grams of a text that do not overlap. */
const apart = (text: string): readonly string[] => text.match(/.../gsu) ?? []

const product = (values: readonly number[]): number => values.reduce((all, each) => all * each, 1)
const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)
