import type { Addresses } from '../../http/contract/addresses.ts'
import { say } from '../../languages/say.ts'
import { distinctive, membersBeside } from '../../model/declaration/beside.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { resourceNamed } from '../../model/schema/resources.ts'
import { SEARCH } from '../../queries/dialects/search.ts'
import type { DocumentForm, FormField, PickedThing, PickedThings } from '../../representations/document.ts'
import { label } from '../../representations/html/label.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { includesRole } from '../../values/role.ts'
import { formFields } from './form-fields.ts'

/** The most things to choose from. */
export const MOST_PICKED = 8

/** The things for a parameter; undefined if it refers to nothing searchable. */
export function picksOf(
  param: string,
  { refersTo, isLink }: Pick<Kind<unknown>, 'refersTo' | 'isLink'> = {},
  operation: Operation,
  addresses: Pick<Addresses, 'base'>,
): (PickedThings & Pick<FormField, 'label'>) | undefined {
  const resource = refersTo === undefined ? undefined : resourceNamed(operation.on.schema, refersTo)
  if (resource?.searched === undefined) return undefined
  const creation = isLink ? undefined : creationBeside(param, resource, operation)
  return {
    label: say(label(param.replace(/Id$/, ''))),
    ...suggestedFrom(resource, addresses.base),
    ...(creation && { creation }),
  }
}

/** The things of a resource as a field suggests them. */
export function suggestedFrom(resource: Resource, base: string): PickedThings {
  const asked = `fields=${['id', ...distinctive(resource)].join()}&maxpagesize=${MOST_PICKED}`
  return { noun: resource.name, suggest: `${base}${resource.path}?${asked}&${SEARCH}=` }
}

/** The fields of a new thing next to the reference to it, for callers who may create one. */
function creationBeside(param: string, resource: Resource, { on, role }: Operation): readonly FormField[] | undefined {
  const members = membersBeside(resource)
  if (members === undefined || !includesRole(role ?? on.roles.writes, resource.roles.writes)) return undefined
  return formFields(members, {}, {}).map((field) => ({
    ...field,
    name: besideName(param, field.name),
    label: say(label(`${resource.name}-${field.name}`)),
    required: field.required && 'together',
  }))
}

/** The field of a form for a member of the new thing that a parameter refers to. */
export const besideName = (param: string, member: string): string => `_${param}.${member}`

/** The choice in a field: the thing that it names, or the matches of its words. */
export type Picked = Pick<PickedThings, 'chosen' | 'found'>

/** A form whose references show the chosen things. */
export const withPicked = (form: DocumentForm, picked: ReadonlyMap<string, Picked>): DocumentForm => ({
  ...form,
  fields: form.fields.map((field) =>
    field.picks === undefined ? field : { ...field, picks: { ...field.picks, ...picked.get(field.name) } },
  ),
})

/** A form whose references can only be chosen, without a new thing. */
export const withoutCreations = (form: DocumentForm): DocumentForm => ({
  ...form,
  fields: form.fields.map(({ picks, ...field }) => {
    if (picks === undefined) return field
    const { creation: _creation, ...others } = picks
    return { ...field, picks: others }
  }),
})

/** A thing as a field shows it. */
export function pickedThing(resource: Resource, thing: { readonly [field: string]: unknown }): PickedThing {
  const [name = '', ...others] = distinctive(resource)
  const details = others.flatMap((field) =>
    (thing[field] ?? null) === null ? [] : [[field, String(thing[field])] as const],
  )
  return {
    value: String(thing.id),
    text: String(thing[name]),
    detail: details.map(([, text]) => text).join(' · '),
    details,
    ...(typeof thing.id === 'number' && { number: thing.id }),
  }
}
