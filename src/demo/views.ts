import type { DomainEvent } from '../model/declaration/event.ts'
import type { Resource } from '../model/declaration/schema.ts'
import type { SavedView } from '../model/nouns/view/view.ts'
import { perform } from './perform.ts'
import { idAt, type Random } from './random.ts'
import { DAY, dateAt } from './time.ts'

interface ViewQuery {
  readonly name: string
  readonly collection: string
  readonly query: string
}

const large: ViewQuery = {
  ...{ name: 'VIP', collection: 'customers' },
  query: 'own.segment=large&fields=name,company,phone,own.segment,own.accountNumber,own.newsletter',
}

/** The contracts that end in a quarter: this one, or in its last month the next. */
function ending(today: number): ViewQuery {
  const [year = 0, month = 0] = dateAt(today + 30 * DAY)
    .split('-')
    .map(Number)
  const quarter = Math.ceil(month / 3)
  const [from, to] = [quarter * 3 - 3, quarter * 3].map((months) => dateAt(Date.UTC(year, months)))
  return {
    ...{ name: `Q${quarter} ${year}`, collection: 'deals' },
    query: `pipeline=renewals&status=open&own.contractEnd.gte=${from}&own.contractEnd.lt=${to}&sort=own.contractEnd&fields=name,customerId,price,stage,own.contractEnd,own.competitors,owner`,
  }
}

/** Views with the added fields, for everybody, with names for readers of any language. */
export function demoViews(
  resource: Resource,
  random: Random,
  today: number,
): readonly { readonly view: SavedView; readonly events: readonly DomainEvent[] }[] {
  return [ending(today), large].map((query) => {
    const at = today - 30 * DAY
    const made = perform({
      ...{ resource, id: idAt(at, random), before: undefined, operation: 'create', params: { ...query, shared: true } },
      ...{ at, actor: null, form: 'resource' },
    })
    return { view: made.thing as SavedView, events: made.events }
  })
}
