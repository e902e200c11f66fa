import { membersToCreate } from '../../model/resource.ts'
import type { Resource } from '../../model/schema.ts'
import { creationForm } from '../page-forms/operation-form.ts'
import { withPicked } from '../page-forms/picks.ts'
import { readPicked } from '../page-forms/read-picked.ts'
import type { FormRefusal } from '../page-forms/refused-form.ts'
import type { View, Visit } from '../parts/visit.ts'
import { creationPage, refusedCreation } from './view.ts'

/** The page for a new thing; `back` is the previous page. */
export async function showCreation(
  resource: Resource,
  values: ReadonlyMap<string, string>,
  back: string | undefined,
  visit: Visit,
): Promise<View> {
  const { addresses } = visit.service
  const picked = await readPicked(values, membersToCreate(resource), visit.desk)
  const form = creationForm(resource, visit, Object.fromEntries(values))
  const above = collectionOf(resource, visit)
  if (form === undefined) throw new Error(`a ${resource.name} cannot be made`)
  const hidden = { ...form.hidden, ...(back !== undefined && { _return: back }) }
  const left = back === undefined ? above.href : addresses.base + back
  const page = { form: withPicked({ ...form, hidden }, picked), above, back: left }
  return () => creationPage(page)
}

/** The form again, with its values and faults; undefined if the caller may not create one. */
export function showRefusedCreation(
  resource: Resource,
  refusal: FormRefusal,
  fields: NonNullable<Visit['fields']>,
  visit: Visit,
): View | undefined {
  const form = creationForm(resource, visit)
  return form && refusedCreation(refusal, form, fields, collectionOf(resource, visit))
}

const collectionOf = ({ path, plural }: Resource, { service }: Visit) => ({
  href: service.addresses.base + path,
  text: plural,
})
