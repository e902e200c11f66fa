import { collectionNamed } from '../../queries/collections.ts'
import type { Store } from '../../store/port/store.ts'
import { adaptiveCache } from '../parts/adaptive-cache.ts'
import { ask } from '../parts/ask.ts'
import type { Visit } from '../parts/visit.ts'
import { type Reporting, reportingAt, type ShownRate } from './reporting.ts'

/** What a visitor's sums are in, with the rates of a day of theirs. */
export async function readReporting(
  { reader, service }: Pick<Visit, 'reader' | 'service'>,
  on: string,
): Promise<Reporting> {
  const rates = await readRates(service.store)
  return reportingAt(rates, { base: service.settings.currency, chosen: reader.currency, on })
}

/** The latest are always read: whoever changes a rate sees it in the next sum. */
async function readRates(store: Store): Promise<readonly ShownRate[]> {
  const { rates, hasMore } = await ratesOn(store, 1)
  return hasMore ? [...rates, ...(await olderRates(store, ''))] : rates
}

const olderRates = adaptiveCache(async (store: Store) => {
  const all: ShownRate[] = []
  for (let page = 2; ; page++) {
    const { rates, hasMore } = await ratesOn(store, page)
    all.push(...rates)
    if (!hasMore) return all
  }
})

const MOST = 1000

async function ratesOn(
  store: Store,
  page: number,
): Promise<{ readonly rates: readonly ShownRate[]; readonly hasMore: boolean }> {
  const { items, hasMore } = await ask(store, collectionNamed('rates'), `sort=-since&maxpagesize=${MOST}&page=${page}`)
  return { rates: items.map((json) => JSON.parse(json) as ShownRate), hasMore }
}
