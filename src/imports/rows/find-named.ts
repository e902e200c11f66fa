import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { fieldOf } from '../../queries/collection.ts'
import { collectionOf } from '../../queries/collections.ts'
import { likePattern } from '../../queries/like-pattern.ts'
import type { Filter } from '../../queries/query.ts'
import { defaultSort } from '../../queries/sort.ts'
import type { Desk } from '../../store/port/desk.ts'

/** The ids of the things that each text names, by its reference, its e-mail address or its exact name. */
export async function findNamed(
  desk: Desk,
  resource: Resource,
  texts: readonly string[],
): Promise<ReadonlyMap<string, readonly Key[]>> {
  const found = new Map<string, Set<Key>>(texts.map((text) => [text, new Set()]))
  const take = (id: Key, value: string): void => void found.get(value)?.add(id)
  const addresses = texts.filter((text) => text.includes('@'))
  for (const name of ['reference', 'name', 'title']) await find(desk, resource, name, 'eq', texts, take)
  await find(desk, resource, 'email', 'eq', addresses, take)
  // An address is the same in other capitals. Looking for that takes longer, and few are written so.
  for (const text of addresses) {
    const ids = found.get(text)
    if (ids === undefined || ids.size > 0) continue
    const pattern = likePattern(text.replaceAll(/[\\%_]/g, '\\$&'))
    if ('fault' in pattern) continue
    await find(desk, resource, 'email', 'like', [pattern.value], (id, value) => {
      if (value.toLowerCase() === text.toLowerCase()) ids.add(id)
    })
  }
  return new Map([...found].map(([text, ids]) => [text, [...ids]]))
}

/** Finds the things that have one of the values in a field, if there is such a field. */
async function find(
  desk: Desk,
  resource: Resource,
  name: string,
  operator: 'eq' | 'like',
  values: readonly string[],
  take: (id: Key, value: string) => void,
): Promise<void> {
  for await (const thing of thingsWith(desk, resource, name, values, operator)) take(thing.id, String(thing[name]))
}

/** A thing as its document has it. */
export type FoundThing = { readonly id: Key; readonly [name: string]: unknown }

/** The things that have one of the values in a field, if there is such a field; deleted ones are not found. */
export async function* thingsWith(
  desk: Desk,
  resource: Resource,
  name: string,
  values: readonly string[],
  operator: 'eq' | 'like' = 'eq',
): AsyncGenerator<FoundThing> {
  if (!Object.hasOwn(resource.fields, name) || values.length === 0) return
  const collection = collectionOf(resource)
  const filter: Filter = [{ field: fieldOf(collection, name), operator, values }]
  const query = { filter, sort: defaultSort(collection), size: values.length, count: false, refuseEmpty: false }
  for await (const lines of desk.stream(collection, [], query)) {
    for (const line of Buffer.from(lines).toString('utf8').trimEnd().split('\n')) {
      if (line === '') continue
      const thing = JSON.parse(line) as FoundThing
      if ((thing.deletedAt ?? null) === null) yield thing
    }
  }
}
