/**
 * Names that a filter, a sort or a group could not tell from its own words: operators, measures and parts of dates, in
 * every dialect. The queries have the words; a test compares them.
 */
const wordsOfQueries = [
  ...['eq', 'ne', 'neq', 'gt', 'gte', 'ge', 'lt', 'lte', 'le', 'in', 'is', 'like', 'ilike', 'match', 'imatch', 'regex'],
  ...['min', 'max', 'from', 'to', 'null', 'unknown', 'contains', 'starts', 'ends', 'not', 'and', 'or', 'q'],
  ...['count', 'sum', 'avg'],
  ...['year', 'month', 'week', 'day'],
]

/** Names that every object of JavaScript has, or that give it another meaning. */
const wordsOfObjects = [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'then', 'toJSON']

const reserved: ReadonlySet<string> = new Set([...wordsOfQueries, ...wordsOfObjects].map((word) => word.toLowerCase()))

/** Whatever its case: names differ by more than that. */
export const isReserved = (name: string): boolean => reserved.has(name.toLowerCase())
