import { MOST_OF_EACH } from '../../http/ask/search-things.ts'
import type { ShownSearch } from '../../http/contract/shown.ts'
import { dayIn } from '../../languages/formats.ts'
import { resourceNamed } from '../../model/resources.ts'
import { readNames } from '../parts/names.ts'
import type { ShownDeal } from '../parts/shown.ts'
import type { View, Visit } from '../parts/visit.ts'
import type { ReadersDay } from '../task-panel/due.ts'
import { type FoundGroup, searchPage } from './view.ts'

export async function showSearch({ text, found, documents }: ShownSearch, visit: Visit): Promise<View> {
  const { addresses } = visit.service
  const deals = found.flatMap((each) => (each.type === 'deal' ? [documents.get(each) as unknown as ShownDeal] : []))
  const names = await readNames(resourceNamed(visit.desk.schema, 'deal'), deals, visit.desk)
  const groups = [...Map.groupBy(found, ({ type }) => type)].map(([type, entries]): FoundGroup => {
    const { plural, path } = resourceNamed(visit.desk.schema, type)
    const all = `${addresses.base}${path}?q=${encodeURIComponent(text)}`
    return {
      ...{ type, plural },
      entries: entries.map((each) => ({ name: each.name, href: each.href, thing: documents.get(each) ?? {} })),
      ...(entries.length >= MOST_OF_EACH && { all }),
    }
  })
  return () => searchPage({ text, groups, names, schema: visit.desk.schema, ...readersDay(visit), addresses })
}

/** The page before a search. */
export const showNothing =
  (visit: Visit): View =>
  () =>
    searchPage({
      text: undefined,
      groups: [],
      names: new Map(),
      schema: visit.desk.schema,
      ...readersDay(visit),
      addresses: visit.service.addresses,
    })

const readersDay = ({ reader: { timeZone } }: Visit): ReadersDay => ({
  today: dayIn(new Date().toISOString(), timeZone),
  timeZone,
})
