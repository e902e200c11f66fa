import type { Store } from '../port/store.ts'
import { agesText, overviewStatements, readAges, readOverview } from '../work/overview.ts'
import type { Connections } from './connections.ts'

/** Sums and counts over everything, where nobody else waits for them. */
export function postgresOverview({ read, scan }: Connections): Pick<Store, 'overview' | 'ages' | 'customerNames'> {
  return {
    async overview(of) {
      const statements = overviewStatements(of, 'postgres')
      const rows = statements.map(({ text, values }, at) => scan({ name: `overview-${at}`, text }, values))
      return readOverview(await Promise.all(rows))
    },
    ages: async () => readAges(await scan({ name: 'ages', text: agesText }, [])),
    async customerNames(ids) {
      const rows = (await read(NAMES, [ids])) as readonly (readonly [number, string])[]
      return new Map(rows)
    },
  }
}

const NAMES = { name: 'customer-names', text: 'SELECT id, name FROM customers WHERE id = ANY($1::bigint[])' }
