import { resourceNamed } from '../../../model/resources.ts'
import type { Desk } from '../../../store/port/desk.ts'
import { namesOf } from '../names.ts'
import type { ShownEntry } from '../shown.ts'

type KnownNames = ReadonlyMap<string | number, string>

/** Entries with the names of their customers, because people do not know numbers. Those in `known` are not read. */
export async function namedEntries<E extends ShownEntry>(
  entries: readonly E[],
  desk: Desk,
  known: KnownNames = new Map(),
): Promise<readonly E[]> {
  const ids = new Set(entries.flatMap(customerIn)).difference(known)
  const names =
    ids.size === 0
      ? known
      : new Map([...known, ...(await namesOf(resourceNamed(desk.schema, 'customer'), [...ids], desk))])
  if (names.size === 0) return entries
  return entries.map((entry) => {
    const [id] = customerIn(entry)
    const customer = id === undefined ? undefined : names.get(id)
    return customer === undefined ? entry : { ...entry, customer }
  })
}

const customerIn = ({ params }: ShownEntry): readonly number[] =>
  typeof params.customerId === 'number' ? [params.customerId] : []
