import { dayIn } from '../../languages/formats.ts'
import { resourceNamed } from '../../model/resources.ts'
import type { DataObject } from '../../representations/read-document.ts'
import { readNames } from '../parts/names.ts'
import type { ShownDeal } from '../parts/shown.ts'
import type { View, Visit } from '../parts/visit.ts'
import type { ReadersDay } from '../task-panel/due.ts'
import { type FoundGroup, searchPage } from './view.ts'

/** What a search found, best first. */
export interface ShownSearch {
  readonly text: string
  readonly found: readonly { readonly type: string; readonly name: string; readonly href: string }[]
  readonly documents: ReadonlyMap<object, DataObject>
  /** So many of one kind are found at most. */
  readonly mostOfEach: number
}

export async function showSearch({ text, found, documents, mostOfEach }: ShownSearch, visit: Visit): Promise<View> {
  const { addresses } = visit.service
  const deals = found.flatMap((each) => (each.type === 'deal' ? [documents.get(each) as unknown as ShownDeal] : []))
  const names = await readNames(resourceNamed(visit.desk.schema, 'deal'), deals, visit.desk)
  const groups = [...Map.groupBy(found, ({ type }) => type)].map(([type, entries]): FoundGroup => {
    const { plural, path } = resourceNamed(visit.desk.schema, type)
    const all = `${addresses.base}${path}?q=${encodeURIComponent(text)}`
    return {
      ...{ type, plural },
      entries: entries.map((each) => ({ name: each.name, href: each.href, thing: documents.get(each) ?? {} })),
      ...(entries.length >= mostOfEach && { all }),
    }
  })
  return () => searchPage({ text, groups, names, ...readersDay(visit), addresses })
}

/** The page before anything is asked for. */
export const showNothing =
  (visit: Visit): View =>
  () =>
    searchPage({
      text: undefined,
      groups: [],
      names: new Map(),
      ...readersDay(visit),
      addresses: visit.service.addresses,
    })

const readersDay = ({ reader: { timeZone } }: Visit): ReadersDay => ({
  today: dayIn(new Date().toISOString(), timeZone),
  timeZone,
})
