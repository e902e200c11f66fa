import type { DomainEvent } from '../model/declaration/event.ts'
import type { Resource } from '../model/declaration/schema.ts'
import type { SalesTarget } from '../model/nouns/target/target.ts'
import { owners } from './goods.ts'
import { perform } from './perform.ts'
import { idAt, type Random } from './random.ts'
import { DAY, dateAt } from './time.ts'

/** A target of each owner for the quarter of today. */
export function demoTargets(
  resource: Resource,
  random: Random,
  today: number,
): readonly { readonly target: SalesTarget; readonly events: readonly DomainEvent[] }[] {
  const day = new Date(today)
  const first = day.getUTCMonth() - (day.getUTCMonth() % 3)
  const [from, to] = [Date.UTC(day.getUTCFullYear(), first), Date.UTC(day.getUTCFullYear(), first + 3) - DAY]
  return owners.map((user) => {
    const at = today - 20 * DAY
    const id = idAt(at, random)
    const params = { user, from: dateAt(from), to: dateAt(to), amount: 20_000 * (2 + random(4)), currency: 'EUR' }
    const made = perform({
      ...{ resource, id, before: undefined, operation: 'create', params, at },
      ...{ actor: null, form: 'resource' },
    })
    return { target: made.thing as SalesTarget, events: made.events }
  })
}
