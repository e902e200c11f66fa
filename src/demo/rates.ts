import type { DomainEvent } from '../model/declaration/event.ts'
import type { Resource } from '../model/declaration/schema.ts'
import type { Rate } from '../model/nouns/rate/rate.ts'
import { perform } from './perform.ts'
import { idAt, type Random } from './random.ts'
import { DAY, dateAt } from './time.ts'

/** The amount of each currency for one euro, half a year ago and now. */
const perEuro = { CHF: [0.9512, 0.9387], GBP: [0.8421, 0.8674], SEK: [11.2245, 10.9873], USD: [1.1302, 1.1594] }

/** The rates of the deals' currencies. */
export function demoRates(
  resource: Resource,
  random: Random,
  today: number,
): readonly { readonly rate: Rate; readonly events: readonly DomainEvent[] }[] {
  return Object.entries(perEuro).flatMap(([currency, rates]) =>
    rates.map((perUnit, nth) => {
      const at = today - (nth === 0 ? 190 : 12) * DAY
      const id = idAt(at, random)
      const params = { currency, perUnit, since: dateAt(at) }
      const made = perform({
        ...{ resource, id, before: undefined, operation: 'create', params, at },
        ...{ actor: null, form: 'resource' },
      })
      return { rate: made.thing as Rate, events: made.events }
    }),
  )
}
