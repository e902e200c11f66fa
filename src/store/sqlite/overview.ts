import type { Store } from '../port/store.ts'
import { agesText, overviewStatements, readAges, readOverview } from '../work/overview.ts'
import type { ReadJob, ReadResult } from './reader.ts'
import type { Readers } from './readers.ts'

/** Sums and counts over everything, in a reader's thread. */
export function sqliteOverview(readers: Readers): Pick<Store, 'overview' | 'ages'> {
  const rowsOf = async (selects: ReadJob['selects']) => rows(await readers.read({ selects, lines: false }))
  return {
    overview: async (of) => readOverview(await rowsOf(overviewStatements(of, 'sqlite'))),
    ages: async () => readAges((await rowsOf([{ text: agesText, values: [] }]))[0] ?? []),
  }
}

function rows(result: ReadResult) {
  if (!('rows' in result)) throw new Error('a reader gave lines for rows')
  return result.rows
}
