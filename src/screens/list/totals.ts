import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { valueIn } from '../../model/declaration/operation.ts'
import { type Collection, fieldOf } from '../../queries/collection.ts'
import { type Filter, looksAtText } from '../../queries/query.ts'
import { settingNames } from '../../queries/settings.ts'
import { type DataObject, readDocument } from '../../representations/read-document.ts'
import { ask, unlessTooCostly } from '../parts/ask.ts'
import { fromThousandths, thousandthsOf } from '../parts/money.ts'
import type { Amount } from '../parts/shown.ts'
import { untilChanged } from '../parts/until-changed.ts'

/** The number of things in a whole list, and their sum in each currency. */
export interface Totals {
  readonly count: number
  readonly sums: readonly { readonly currency: string; readonly sum: Amount }[]
}

/**
 * The totals of a list of a collection, with the sums of one of its amounts; `things` are the parsed items of the list.
 * A search is not repeated for them: they are absent unless the page has everything.
 */
export async function readTotals(
  collection: Collection,
  list: ShownList,
  things: readonly object[],
  { desk, caller }: Pick<Call, 'desk' | 'caller'>,
  amount?: string,
): Promise<Totals | undefined> {
  const isWhole = !list.hasMore && list.links.prev === undefined
  if (isWhole) return fromRows(things, amount, currencyOf(collection, amount))
  if (looksAtText(list.filter)) return list.total === undefined ? undefined : { count: list.total, sums: [] }
  // `me` differs for each caller.
  const filters = list.parameters.filter(({ name }) => !settingNames.has(name)).map(({ raw }) => raw)
  const key = [collection.name, caller?.user, ...filters].join('&')
  return unlessTooCostly(readGroups(desk, key, collection, list.filter, amount), undefined)
}

const currencyOf = (collection: Collection, amount: string | undefined): string | undefined =>
  amount === undefined ? undefined : fieldOf(collection, amount).currencyIn

const readGroups = untilChanged(
  async (desk, _key, collection: Collection, filter: Filter, amount: string | undefined): Promise<Totals> => {
    const currency = currencyOf(collection, amount)
    const asked = currency === undefined ? 'measure=count' : `group=${currency}&measure=count,sum.${amount}`
    const { items } = await ask(desk, collection, `${asked}&maxpagesize=1000`, filter)
    const groups = items.map((json) => readDocument(json) as DataObject)
    return {
      count: groups.reduce((sum, { count }) => sum + Number(count), 0),
      sums:
        currency === undefined
          ? []
          : groups.map((group) => ({ currency: String(group[currency]), sum: group[`sum.${amount}`] as Amount })),
    }
  },
)

function fromRows(things: readonly object[], amount = '', currency: string | undefined): Totals {
  if (currency === undefined) return { count: things.length, sums: [] }
  const sums = new Map<string, bigint>()
  for (const thing of things) {
    const of = String(valueIn(thing, currency))
    sums.set(of, (sums.get(of) ?? 0n) + thousandthsOf(valueIn(thing, amount) as Amount))
  }
  return {
    count: things.length,
    sums: [...sums]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, sum]) => ({ currency, sum: fromThousandths(sum) })),
  }
}
