import { MOST_OF_EACH } from '../../http/ask/search-things.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownSearch } from '../../http/contract/shown.ts'
import { dayIn } from '../../languages/formats.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { readNames } from '../parts/names.ts'
import type { Screen } from '../parts/screen.ts'
import type { ShownDeal } from '../parts/shown.ts'
import type { ReadersDay } from '../task-panel/due.ts'
import { type FoundGroup, searchPage } from './view.ts'

const PERSON = 'person'

export async function showSearch(search: ShownSearch, call: Call): Promise<Screen> {
  const { text, found, documents, didYouMean } = search
  const { addresses } = call.service
  const deals = found.flatMap((each) => (each.type === 'deal' ? [documents.get(each) as unknown as ShownDeal] : []))
  const names = await readNames(resourceNamed(call.desk.schema, 'deal'), deals, call.desk)
  const entriesOf = (entries: ShownSearch['found']) =>
    entries.map((each) => ({ name: each.name, href: each.href, thing: documents.get(each) ?? {} }))
  const groups = [...Map.groupBy(found, ({ type }) => type)].map(([type, entries]): FoundGroup => {
    if (type === PERSON) return { type, plural: 'people', entries: entriesOf(entries) }
    const { plural, path } = resourceNamed(call.desk.schema, type)
    const all = `${addresses.base}${path}?q=${encodeURIComponent(text)}`
    return {
      ...{ type, plural },
      entries: entriesOf(entries),
      ...(entries.length >= MOST_OF_EACH && { all }),
    }
  })
  return () => searchPage({ text, groups, didYouMean, names, schema: call.desk.schema, ...readersDay(call), addresses })
}

/** The page before a search. */
export const showNothing =
  (call: Call): Screen =>
  () =>
    searchPage({
      text: undefined,
      groups: [],
      didYouMean: undefined,
      names: new Map(),
      schema: call.desk.schema,
      ...readersDay(call),
      addresses: call.service.addresses,
    })

const readersDay = ({ reader: { timeZone } }: Call): ReadersDay => ({
  today: dayIn(new Date().toISOString(), timeZone),
  timeZone,
})
