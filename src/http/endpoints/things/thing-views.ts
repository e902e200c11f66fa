import type { Intent } from '../../../model/perform/intent.ts'
import { resourceNamed } from '../../../model/resources.ts'
import type { Operation, Resource } from '../../../model/schema.ts'
import type { FormRefusal } from '../../../screens/page-forms/refused-form.ts'
import type { View } from '../../../screens/parts/visit.ts'
import type { Stored, StoredCustomer, StoredDeal } from '../../../store/port/desk.ts'
import { lazily } from '../../../values/lazily.ts'
import type { Call } from '../../contract/endpoint.ts'

type OptionalView = Promise<View | undefined> | undefined

/** The views of a thing, instead of a plain table of its fields. */
interface ThingViews {
  readonly show: (thing: Stored, call: Call) => OptionalView
  /** A refused form, shown again with what was filled in. */
  readonly showRefused: (
    refusal: FormRefusal,
    operation: Operation,
    fields: ReadonlyMap<string, string>,
    call: Call,
  ) => OptionalView
  readonly showDeleted?: (thing: Stored, call: Call) => OptionalView
}

// Loaded when the first of them is asked for.
const customerViews = lazily(() => import('../../../screens/customer/read.ts'))
const dealViews = lazily(() => import('../../../screens/deal/read.ts'))
const refusedDealViews = lazily(() => import('../../../screens/deal/read-refused.ts'))
const taskViews = lazily(() => import('../../../screens/task/read.ts'))
const creationViews = lazily(() => import('../../../screens/creation/read.ts'))
const pickedReads = lazily(() => import('../../../screens/page-forms/read-picked.ts'))

const views: { readonly [resource: string]: ThingViews } = {
  deal: {
    show: async (thing, call) => (await dealViews()).showDeal(thing as StoredDeal, call),
    showRefused: async (...refused) => (await refusedDealViews()).showRefusedOperation(...refused),
    showDeleted: async (thing, call) => (await refusedDealViews()).showDeletedDeal(thing as StoredDeal, call),
  },
  customer: {
    show: async (thing, call) => (await customerViews()).showCustomer(thing as StoredCustomer, call),
    showRefused: async (...refused) => (await customerViews()).showRefusedCustomer(...refused),
  },
  task: {
    show: async (thing, call) => (await taskViews()).showTask(thing, call),
    showRefused: async (...refused) => (await taskViews()).showRefusedTask(...refused),
  },
}

export const showThing = ({ name }: Resource, thing: Stored, call: Call): OptionalView => views[name]?.show(thing, call)

export const showDeletedThing = ({ name }: Resource, thing: Stored, call: Call): OptionalView =>
  call.representation === 'html' ? views[name]?.showDeleted?.(thing, call) : undefined

export async function showRefusedWrite(
  refusal: FormRefusal,
  intent: Intent,
  routed: Operation | undefined,
  call: Call,
): Promise<View | undefined> {
  const { fields } = call
  if (fields === undefined || call.representation !== 'html') return undefined
  const resource = resourceNamed(call.schema, intent.resource)
  const operation = routed ?? resource.operations.find(({ differences }) => differences)
  if (operation === undefined) return undefined
  const { readPicked } = await pickedReads()
  const picked = await readPicked(fields, operation.params, call.desk)
  // What is wrong within a saved query is beside no field.
  if (operation.to === 'nothing' && refusal.code !== 'invalid-parameter') {
    const { showRefusedCreation } = await creationViews()
    return showRefusedCreation(resource, { ...refusal, picked }, fields, call)
  }
  return views[resource.name]?.showRefused({ ...refusal, picked }, operation, fields, call)
}
