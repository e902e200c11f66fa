import type { DomainEvent } from '../model/event.ts'
import type { Resource } from '../model/schema.ts'
import type { SavedView } from '../model/view/view.ts'
import { perform } from './perform.ts'
import { idAt, type Random } from './random.ts'
import { DAY } from './time.ts'

const queries = [
  {
    ...{ name: 'Contracts that end', collection: 'deals' },
    query:
      'pipeline=renewals&status=open&own.contractEnd.null=false&sort=own.contractEnd&fields=name,customerId,price,stage,own.contractEnd,own.competitors,owner',
  },
  {
    ...{ name: 'Large customers', collection: 'customers' },
    query: 'own.segment=large&fields=name,company,phone,own.segment,own.accountNumber,own.newsletter',
  },
]

/** Views with the added fields, for everybody. */
export function demoViews(
  resource: Resource,
  random: Random,
  today: number,
): readonly { readonly view: SavedView; readonly events: readonly DomainEvent[] }[] {
  return queries.map((query) => {
    const at = today - 30 * DAY
    const made = perform({
      ...{ resource, id: idAt(at, random), before: undefined, operation: 'create', params: { ...query, shared: true } },
      ...{ at, actor: null, form: 'resource' },
    })
    return { view: made.thing as SavedView, events: made.events }
  })
}
