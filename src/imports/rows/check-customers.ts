import type { Settings } from '../../config.ts'
import { changedBy, type GivenCustomer } from '../../model/customer/chunk.ts'
import { type Customer, customer } from '../../model/customer/customer.ts'
import { addCounts, type ImportCounts, noRows } from '../../model/customer/imported.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collections } from '../../queries/collections.ts'
import { parseQuery } from '../../queries/parse/parse-query.ts'
import { openStore, requireDatabase } from '../../store/open.ts'
import { SERVICE } from '../../store/port/desk.ts'
import type { ImportProgress } from '../../store/port/maintenance.ts'
import type { Store } from '../../store/port/store.ts'
import type { GivenValues } from '../read/row-reader.ts'
import type { Importing } from './importing.ts'
import { customerLayout } from './layouts.ts'
import { type FileRow, inWaves } from './things.ts'

/** A dry run: nothing is written. decisions/0016 */
export function customerDryRun(settings: Settings): Importing<readonly FileRow[]> {
  return {
    things: customer.plural,
    layout: customerLayout,
    ...inWaves(),
    async open() {
      requireDatabase(settings)
      const store = await openStore(settings, () => {})
      return {
        opening: store.opening,
        write: (waves) => checkWaves(store, waves),
        close: () => store.close(),
      }
    },
  }
}

async function* checkWaves(store: Store, waves: AsyncIterable<readonly FileRow[]>): AsyncIterable<ImportProgress> {
  const check = customerCheck(store)
  let reached: ImportProgress = { taken: 0, kept: noRows, batches: 0 }
  for await (const rows of waves) {
    const kept = addCounts(reached.kept, await check(rows))
    reached = { taken: reached.taken + rows.length, kept, batches: reached.batches + 1 }
    yield reached
  }
}

/** Counts what an import of customers would do, at most a page of them at a time. */
export function customerCheck(
  store: Store,
): (rows: readonly { readonly values: GivenValues }[]) => Promise<ImportCounts> {
  /** The ids that rows before would have made. */
  const made = new Set<number>()
  return async (rows) => {
    const given = rows.map(({ values }) => values as unknown as GivenCustomer)
    const known = await findCustomers(
      store,
      given.flatMap(({ id }) => (id === undefined ? [] : [id])),
    )
    const counts = { inserted: 0, updated: 0, unchanged: 0 }
    for (const row of given) {
      const before = row.id === undefined ? undefined : known.get(row.id)
      if (before !== undefined) counts[changedBy(row, before).length > 0 ? 'updated' : 'unchanged']++
      else if (row.id !== undefined && made.has(row.id)) counts.updated++
      else {
        counts.inserted++
        if (row.id !== undefined) made.add(row.id)
      }
    }
    return counts
  }
}

async function findCustomers(store: Store, ids: readonly number[]): Promise<ReadonlyMap<number, Customer>> {
  if (ids.length === 0) return new Map()
  const parsed = parseQuery(collections.customers, 'maxpagesize=1000')
  if ('faults' in parsed) throw new Error('customers have no pages')
  const scope = [{ field: fieldOf(collections.customers, 'id'), operator: 'eq', values: ids }] as const
  const { items } = await store.as(SERVICE).page('customers', scope, parsed.query)
  return new Map(items.map((json) => JSON.parse(json) as Customer).map((each) => [each.id, each]))
}
