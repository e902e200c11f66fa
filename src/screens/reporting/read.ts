import type { Call } from '../../http/contract/endpoint.ts'
import { collectionNamed } from '../../queries/collections.ts'
import type { Desk } from '../../store/port/desk.ts'
import { ask } from '../parts/ask.ts'
import { untilChanged } from '../parts/until-changed.ts'
import { type Reporting, reportingAt, type ShownRate } from './reporting.ts'

/** The reporting currency of a visitor, with the rates of their day. */
export async function readReporting(
  { reader, desk, service }: Pick<Call, 'reader' | 'desk' | 'service'>,
  on: string,
): Promise<Reporting> {
  const rates = await readRates(desk)
  return reportingAt(rates, { base: service.settings.currency, chosen: reader.currency, on })
}

/** The latest are always read: a changed rate shows in the next sum. */
async function readRates(desk: Desk): Promise<readonly ShownRate[]> {
  const { rates, hasMore } = await ratesOn(desk, 1)
  return hasMore ? [...rates, ...(await olderRates(desk, ''))] : rates
}

const olderRates = untilChanged(async (desk: Desk) => {
  const all: ShownRate[] = []
  for (let page = 2; ; page++) {
    const { rates, hasMore } = await ratesOn(desk, page)
    all.push(...rates)
    if (!hasMore) return all
  }
})

const MOST = 1000

async function ratesOn(
  desk: Desk,
  page: number,
): Promise<{ readonly rates: readonly ShownRate[]; readonly hasMore: boolean }> {
  const { items, hasMore } = await ask(
    desk,
    collectionNamed(desk.schema, 'rates'),
    `sort=-since&maxpagesize=${MOST}&page=${page}`,
  )
  return { rates: items.map((json) => JSON.parse(json) as ShownRate), hasMore }
}
