import { valueIn } from '../../src/model/declaration/operation.ts'
import type { Key, Thing } from '../../src/model/declaration/resource.ts'
import { operationNamed } from '../../src/model/schema/resources.ts'
import { type Concerned, defineFact } from '../../src/store/transactions/facts/fact.ts'
import { lookUp, lookup } from '../../src/store/transactions/lookup.ts'

/** The number of unfinished errands of a deal, for whom is to be reminded of it. */
export const openErrands = defineFact({
  name: 'openErrands',
  wanted: reminded,
  *read({ things: { dialect } }, deals) {
    const select = 'SELECT deal_id, id FROM errands'
    const rows = yield* lookUp(
      lookup(dialect, 'open-errands', (is) => `${select} WHERE ${is('deal_id')} AND NOT finished`),
      deals,
    )
    return (deal: Key) => rows.flatMap(([of, id]) => (of === deal ? [id as Key] : []))
  },
  tell(ask, about, left) {
    const isOpen = (deal: Key) => (errand: Thing) => valueIn(errand, 'dealId') === deal && !valueIn(errand, 'finished')
    const openOf = (deal: Key): number => {
      const untouched = ask(deal).filter((id) => left.of('errand', id) === undefined)
      return untouched.length + left.all('errand').filter(isOpen(deal)).length
    }
    return reminded(about).map(openOf)[0] ?? 0
  },
})

function reminded({ intent: { change }, resource, target }: Concerned): readonly Key[] {
  const operation = 'action' in change ? operationNamed(change.action, resource) : undefined
  return operation?.name === 'remind' && target !== undefined ? [target] : []
}
