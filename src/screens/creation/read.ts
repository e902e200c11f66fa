import type { Call } from '../../http/contract/endpoint.ts'
import { membersToCreate } from '../../model/declaration/resource.ts'
import type { Resource } from '../../model/declaration/schema.ts'
import type { DocumentForm } from '../../representations/document.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { memberPointer } from '../../values/members.ts'
import { creationForm } from '../forms/operation-form.ts'
import { withPicked } from '../forms/picks.ts'
import { readPicked } from '../forms/read-picked.ts'
import { type FormRefusal, retiredIn, takenAt } from '../forms/refused-form.ts'
import type { Screen } from '../parts/screen.ts'
import { fieldsToCreate } from '../things.ts'
import { creationPage, refusedCreation } from './view.ts'

/** The page for a new thing; `back` is the previous page. */
export async function showCreation(
  resource: Resource,
  values: ReadonlyMap<string, string>,
  back: string | undefined,
  call: Call,
): Promise<Screen> {
  const { addresses } = call.service
  const picked = await readPicked(values, membersToCreate(resource), call.desk)
  const form = formOf(resource, call, Object.fromEntries(values))
  const above = collectionOf(resource, call)
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
  fields: NonNullable<Call['fields']>,
  call: Call,
): Screen | undefined {
  const form = formOf(resource, call)
  const errors = refusal.errors ?? [...missingAt(refusal, resource), ...takenAt(refusal, resource)]
  return (
    form &&
    refusedCreation({ ...refusal, errors, ...retiredIn(refusal, resource) }, form, fields, collectionOf(resource, call))
  )
}

/** The fields that its first stage requires; one of a related thing is missing until that is chosen. */
const missingAt = ({ code, extra }: FormRefusal, { references }: Resource): readonly Fault[] =>
  code !== 'stage-requires' || !Array.isArray(extra?.fields)
    ? []
    : extra.fields.map((name) => {
        const through = references.find((each) => String(name).startsWith(`${each.name}.`))
        return { code: 'required', at: { pointer: memberPointer(through?.field ?? String(name)) } }
      })

function formOf(...asked: Parameters<typeof creationForm>): DocumentForm | undefined {
  const form = creationForm(...asked)
  return form && { ...form, fields: fieldsToCreate(asked[0], form.fields) }
}

const collectionOf = ({ path, plural }: Resource, { service }: Call) => ({
  href: service.addresses.base + path,
  text: plural,
})
