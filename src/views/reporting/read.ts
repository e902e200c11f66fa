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
  const rates = await ratesOf(service.store, '')
  return reportingAt(rates, { base: service.settings.currency, chosen: reader.currency, on })
}

const ratesOf = adaptiveCache(readRates)

const MOST = 1000

async function readRates(store: Store): Promise<readonly ShownRate[]> {
  const rates: ShownRate[] = []
  for (let page = 1; ; page++) {
    const { items, hasMore } = await ask(store, collectionNamed('rates'), `maxpagesize=${MOST}&page=${page}`)
    rates.push(...items.map((json) => JSON.parse(json) as ShownRate))
    if (!hasMore) return rates
  }
}
