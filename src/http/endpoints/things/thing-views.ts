import type { Intent } from '../../../model/perform/intent.ts'
import { resourceNamed } from '../../../model/resources.ts'
import type { Operation, Resource } from '../../../model/schema.ts'
import type { FormRefusal } from '../../../screens/page-forms/refused-form.ts'
import type { View } from '../../../screens/parts/visit.ts'
import type { Stored } from '../../../store/port/desk.ts'
import { lazily } from '../../../values/lazily.ts'
import type { Call } from '../../contract/endpoint.ts'

// Loaded when the first of them is asked for.
const thingScreens = lazily(() => import('../../../screens/things.ts'))
const creationViews = lazily(() => import('../../../screens/creation/read.ts'))
const pickedReads = lazily(() => import('../../../screens/page-forms/read-picked.ts'))

export const showThing = async (resource: Resource, thing: Stored, call: Call): Promise<View> =>
  (await thingScreens()).showOne(resource, thing, call)

export const showDeletedThing = async (resource: Resource, thing: Stored, call: Call): Promise<View | undefined> =>
  call.representation === 'html' ? (await thingScreens()).showDeletedOne(resource, thing, call) : undefined

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
  const { showRefusedOne } = await thingScreens()
  return showRefusedOne({ ...refusal, picked }, operation, fields, call)
}
