import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import { collectionsOf } from '../../queries/collections.ts'
import { equals } from '../../queries/term.ts'
import type { Stored, StoredEvent } from '../../store/port/desk.ts'
import { mapInTurns } from '../../store/port/take-turns.ts'
import { flattened } from '../../values/json/own.ts'
import { chosenIn, readReferred } from '../forms/read-picked.ts'
import { ask } from '../parts/ask.ts'
import { namedEntries } from '../parts/happenings/named-entries.ts'
import { nameOf } from '../parts/names.ts'
import type { Screen } from '../parts/screen.ts'
import { readEntry, readThing } from '../parts/shown.ts'
import { entryPage, type HistorySubject, historyPage } from './view.ts'

/** The history of a thing, or its entries of one kind, under a title. */
export const showHistory =
  (resource: Resource, title: string) =>
  async (list: ShownList, { params: { id = '' }, path, desk, service }: Call): Promise<Screen | undefined> => {
    const { addresses } = service
    const key = resource.kinds.id?.readText(id)
    const stored = key && 'value' in key ? await desk.find(resource, key.value as Key) : undefined
    if (stored === undefined) return undefined
    const subject = subjectOf(resource, stored)
    const entries = await namedEntries(await mapInTurns(list.items, readEntry), desk)
    const trimmed = await desk.trimmed.of(stored.id)
    return () => historyPage({ ...list, subject, title, address: addresses.base + path, entries, trimmed, addresses })
  }

export async function showEntry(
  resource: Resource,
  event: StoredEvent,
  stored: Stored,
  { desk, service }: Call,
): Promise<Screen> {
  const { addresses } = service
  const subject = subjectOf(resource, stored)
  const { history } = collectionsOf(desk.schema)
  const nearest = async (search: string): Promise<number | undefined> => {
    const { items } = await ask(desk, history, `${search}&maxpagesize=1`, [equals(history, resource.name, stored.id)])
    return items.map(readEntry)[0]?.revision
  }
  const { revision } = event
  const [[entry = readEntry(event.entry)], previous, next] = await Promise.all([
    namedEntries([readEntry(event.entry)], desk),
    revision > 1 ? nearest(`revision.lt=${revision}&sort=-revision`) : undefined,
    revision < stored.revision ? nearest(`revision.gt=${revision}&sort=revision`) : undefined,
  ])
  const referred = chosenIn(await readReferred(resource, flattened(entry.params), desk))
  return () => entryPage({ subject, entry, previous, next, referred, addresses })
}

function subjectOf(resource: Resource, { id, json, revision }: Stored): HistorySubject {
  const thing = readThing(json)
  return { resource, id, name: nameOf(resource, thing), currency: String(thing.currency ?? ''), revision }
}
