import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { say } from '../../languages/say.ts'
import { placeNames } from '../../queries/settings.ts'
import { withQuery } from '../../values/address.ts'
import { listScreen } from '../list/list-screen.ts'
import { unlessTooCostly } from '../parts/ask.ts'
import type { ShownCustomer } from '../parts/shown.ts'
import { untilChanged } from '../parts/until-changed.ts'
import { type AgeGroup, ageHistogram } from './age-histogram.ts'
import { type AgeCount, readAges, readLastContacts, readOpenCurrencies, readOpenValues } from './read.ts'

export const customerList = listScreen<ShownCustomer>({
  columns: ['company', 'phone', 'email', 'country', 'age', 'children', 'id'],
  narrow: ['company', 'phone'],
  added: [
    { kind: 'sums', head: say('Open value'), after: 'phone', read: readOpenValues, currencies: readOpenCurrencies },
    { kind: 'instant', head: say('Last contact'), after: 'phone', read: readLastContacts },
  ],
  ifFilled: ['age', 'children'],
  filters: ['country', 'age.gte', 'age.lte', 'children.gte'],
  above: async ({ list, call }) => {
    const ages = await unlessTooCostly(countAges(call.desk, ''), [])
    return ages.length === 0 ? undefined : () => ageHistogram(ageGroups(ages, list, call))
  },
})

const countAges = untilChanged(readAges)

/** A column sets the filter for the age and keeps the others. */
function ageGroups(ages: readonly AgeCount[], { parameters }: ShownList, { service }: Call): readonly AgeGroup[] {
  const value = (name: string): string | undefined => parameters.find((each) => each.name === name)?.value
  const others = parameters.filter(({ name }) => !/^age\.(gte|lte)$/.test(name) && !placeNames.has(name))
  return ages.map(({ from, count }) => {
    const chosen = value('age.gte') === String(from) && value('age.lte') === String(from + 9)
    const range = chosen ? [] : [{ raw: `age.gte=${from}` }, { raw: `age.lte=${from + 9}` }]
    return { from, count, chosen, href: withQuery(service.addresses.customers, [...others, ...range]) }
  })
}
