import type { Store } from '../../../store/port/store.ts'
import type { ShownEntry } from '../shown.ts'

/** Entries with the names of the customers that they mention: people do not know numbers. */
export async function namedEntries<E extends ShownEntry>(entries: readonly E[], store: Store): Promise<readonly E[]> {
  const ids = new Set(entries.flatMap(customerIn))
  if (ids.size === 0) return entries
  const names = await store.customerNames([...ids])
  return entries.map((entry) => {
    const [id] = customerIn(entry)
    const customer = id === undefined ? undefined : names.get(id)
    return customer === undefined ? entry : { ...entry, customer }
  })
}

const customerIn = ({ params }: ShownEntry): readonly number[] =>
  typeof params.customerId === 'number' ? [params.customerId] : []
