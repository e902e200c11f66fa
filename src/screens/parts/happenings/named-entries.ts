import type { Resource } from '../../../model/declaration/schema.ts'
import { isRemoval, resourceNamed } from '../../../model/schema/resources.ts'
import type { Desk } from '../../../store/port/desk.ts'
import { namesOf } from '../names.ts'
import type { ShownActivity, ShownEntry } from '../shown.ts'

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

/**
 * The same for activities, which say whether their things are gone. `latest` are the latest of all: a removal is among
 * them. Others are looked up, with a statement for each kind of thing that can be removed.
 */
export async function namedActivities(
  activities: readonly ShownActivity[],
  desk: Desk,
  { latest = false } = {},
): Promise<readonly ShownActivity[]> {
  const removable = activities.filter(({ resource, thing }) => thing.id !== undefined && canBeRemoved(resource))
  const [named, there] = await Promise.all([
    namedEntries(activities, desk),
    latest ? undefined : thingsThere(removable, desk),
  ])
  const removed = new Set(activities.filter(isRemoved).map(keyOf))
  const gone = new Set(removable.map(keyOf).filter((key) => (there === undefined ? removed.has(key) : !there.has(key))))
  return gone.size === 0 ? named : named.map((each) => (gone.has(keyOf(each)) ? { ...each, isGone: true } : each))
}

async function thingsThere(activities: readonly ShownActivity[], desk: Desk): Promise<ReadonlySet<string>> {
  const found = [...Map.groupBy(activities, ({ resource }) => resource)].map(async ([resource, those]) => {
    const ids = [...new Set(those.flatMap(({ thing }) => thing.id ?? []))]
    const names = await namesOf(resource, ids, desk)
    return [...names.keys()].map((id) => `${resource.name} ${id}`)
  })
  return new Set((await Promise.all(found)).flat())
}

const keyOf = ({ resource, thing }: ShownActivity): string => `${resource.name} ${thing.id}`
const isRemoved = ({ resource, operation }: ShownActivity): boolean => isRemoval(resource, operation)
const canBeRemoved = ({ operations }: Resource): boolean => operations.some(({ removes }) => removes)
