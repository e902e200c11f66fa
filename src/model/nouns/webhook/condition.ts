import type { Fault } from '../../../values/faults/fault.ts'
import type { ConditionFaults, StoredCondition } from '../../declaration/operation.ts'

type Subscribed = Omit<StoredCondition, 'on'> & { readonly types: readonly string[] | null }

/** The condition of a webhook; undefined if it has none. */
export function conditionOf({ types, where, changed, owner }: Subscribed): StoredCondition | undefined {
  return where === null && changed === null ? undefined : { on: resourceIn(types), where, changed, owner }
}

export function subscriptionFaults(subscribed: Subscribed, faultsOf: ConditionFaults): readonly Fault[] {
  const condition = conditionOf(subscribed)
  return condition === undefined ? [] : faultsOf(condition)
}

/** `deal` for `deal.*` and `deal.held`; undefined if there are none, or of several. */
function resourceIn(types: readonly string[] | null): string | undefined {
  const [first, ...others] = new Set(types?.map((type) => type.slice(0, type.indexOf('.'))))
  return others.length === 0 ? first : undefined
}
