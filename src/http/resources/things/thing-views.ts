import type { Operation } from '../../../model/operation.ts'
import type { Intent } from '../../../model/perform/intent.ts'
import type { Resource } from '../../../model/resource.ts'
import { operationsOn, resourceNamed } from '../../../model/resources.ts'
import type { Stored, StoredCustomer, StoredDeal } from '../../../store/port/store.ts'
import { showCustomer, showRefusedCustomer } from '../../../views/customer/read.ts'
import { showDeal } from '../../../views/deal/read.ts'
import { showDeletedDeal, showRefusedOperation } from '../../../views/deal/read-refused.ts'
import type { FormRefusal } from '../../../views/page-forms/refused-form.ts'
import type { View } from '../../../views/parts/visit.ts'
import type { Call } from '../../endpoint.ts'
import { samplesFor } from '../../reference/every-form.ts'

type OptionalView = Promise<View | undefined> | View | undefined

/** The views of a thing, instead of a plain table of its fields. */
interface ThingViews {
  readonly show: (thing: Stored, call: Call) => OptionalView
  /** A refused form, shown again with what was filled in. */
  readonly showRefused: (refusal: FormRefusal, operation: Operation | undefined, call: Call) => OptionalView
  readonly showDeleted?: (thing: Stored, call: Call) => OptionalView
}

const views: { readonly [resource: string]: ThingViews } = {
  deal: {
    show: (thing, call) => showDeal(thing as StoredDeal, call, samplesFor(call)),
    showRefused: (refusal, operation, call) => showRefusedOperation(refusal, operation, call, samplesFor(call)),
    showDeleted: (thing, call) => showDeletedDeal(thing as StoredDeal, call, samplesFor(call)),
  },
  customer: {
    show: (thing, call) => showCustomer(thing as StoredCustomer, call),
    showRefused: (refusal, operation, call) => operation && showRefusedCustomer(refusal, operation, call),
  },
}

export const showThing = ({ name }: Resource, thing: Stored, call: Call): OptionalView => views[name]?.show(thing, call)

export const showDeletedThing = ({ name }: Resource, thing: Stored, call: Call): OptionalView =>
  views[name]?.showDeleted?.(thing, call)

export function showRefusedWrite(
  refusal: FormRefusal,
  intent: Intent,
  routed: Operation | undefined,
  call: Call,
): OptionalView {
  const resource = resourceNamed(intent.resource)
  const operation = routed ?? operationsOn(resource).find(({ differences }) => differences)
  return views[resource.name]?.showRefused(refusal, operation, call)
}
