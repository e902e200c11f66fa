import type { Addresses } from '../../http/contract/addresses.ts'
import type { Call } from '../../http/contract/endpoint.ts'
import { say } from '../../languages/say.ts'
import { bySchema } from '../../model/declaration/by-schema.ts'
import { membersToCreate } from '../../model/declaration/resource.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { mayEver } from '../../model/intent/caller.ts'
import type { DocumentForm, FormField } from '../../representations/document.ts'
import type { Stored } from '../../store/port/desk.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import type { Members } from '../../values/members.ts'
import { isOnlyChoice, plainText } from '../parts/value-text.ts'
import { newCommandId } from './command-id.ts'
import { type FieldValues, fieldText, formFields } from './form-fields.ts'
import { picksOf } from './picks.ts'

// HTML forms. An operation is sent to the address of its noun.

/**
 * One operation on a thing. A parameter that sets a field is prefilled with the field's value. An operation that
 * changes any field shows them all, and an emptied one is emptied.
 */
export function thingForm(
  operation: Operation,
  thing: Pick<Stored, 'id' | 'revision'>,
  shown: FieldValues,
  addresses: Addresses,
): DocumentForm {
  const { on, words, differences, lasting } = operation
  const action = `${addresses.thing(on, thing.id)}/${words.noun}`
  // A note is as true after somebody else's change.
  const hidden = { ...(!lasting && { _revision: String(thing.revision) }), _command: newCommandId() }
  if (differences) return { ...operationForm(operation, action, shown, addresses, changedBy(operation)), hidden }
  const values: { [param: string]: unknown } = { ...defaultsOf(operation) }
  for (const [param, field] of prefilledIn(operation)) values[param] = shown[field]
  const form = operationForm(operation, action, values, addresses)
  return { ...form, fields: form.fields.map((field) => withinThings(field, [shown])), hidden }
}

/** One operation on several things, without values. */
export function formForAll(
  operation: Operation,
  action: string,
  shown: readonly FieldValues[],
  addresses: Addresses,
): DocumentForm {
  const form = operationForm(operation, action, {}, addresses)
  return { ...form, fields: form.fields.map((field) => withinThings(field, shown)) }
}

/** A choice that depends on another field of things has first of all the values that it has there. */
const withinThings = (field: FormField, shown: readonly FieldValues[]): FormField =>
  field.within === undefined
    ? field
    : { ...field, within: { ...field.within, here: shown.map((each) => String(each[field.within?.field ?? ''])) } }

/** A new thing, prefilled with the defaults, the caller as its person, and `values`; undefined if the caller may not create one. */
export function creationForm(
  resource: Resource,
  call: Pick<Call, 'service' | 'role' | 'caller'>,
  values: FieldValues = {},
): DocumentForm | undefined {
  const create = resource.operations.find(({ to }) => to === 'nothing')
  if (create === undefined || !mayEver(call, resource, create)) return undefined
  const { addresses, settings } = call.service
  const currency = resource.moneyIn === undefined ? {} : { [resource.moneyIn]: settings.currency }
  const mine = personsIn(create).map((name) => [name, call.caller?.user ?? null] as const)
  const usual = Object.entries(create.usual?.(values) ?? {}).filter(([name]) => isCertain(create.params, name))
  const given = { ...Object.fromEntries(mine), ...Object.fromEntries(usual), ...values }
  const prefilled = { ...defaultsOf(create), ...currency, ...given }
  return {
    ...operationForm(create, addresses.base + resource.path, prefilled, addresses),
    hidden: { _command: newCommandId() },
  }
}

/** The parameters that name a person, except added fields. */
const personsIn = bySchema(({ params }: Operation): readonly string[] =>
  Object.entries(params).flatMap(([name, { kind }]) => (kind.namesUser && kind.titled === undefined ? [name] : [])),
)

/** The address of the page for a new thing; undefined if the caller may not create one. */
export const creationAddress = (
  resource: Resource,
  call: Pick<Call, 'service' | 'role'>,
  given: Parameters<Addresses['creation']>[1] = {},
): string | undefined => (mayEver(call, resource) ? call.service.addresses.creation(resource, given) : undefined)

/** Whether a value stays possible whatever else is chosen: it depends on no other field, or there is only one choice there. */
const isCertain = (members: Members, name: string): boolean => (members[name]?.kind.within?.ranks.size ?? 1) === 1

/** The parameters that have the values of fields. */
const prefilledIn = bySchema(({ sets = {}, params }: Operation) =>
  Object.entries(sets).filter(([param]) => isCertain(params, param)),
)

const defaultsOf = bySchema(
  ({ params }: Operation): FieldValues =>
    Object.fromEntries(
      Object.entries(params).flatMap(([name, { kind, default: initial }]) =>
        initial === undefined || initial === '' ? [] : [[name, kind.write(initial)]],
      ),
    ),
)

/** The members of a creation that a change sets too: some are set once. */
const changedBy = bySchema(({ on, params }: Operation): Members => {
  const all = membersToCreate(on)
  const changed = Object.entries(all).filter(([name]) => Object.hasOwn(params, name))
  return changed.length === Object.keys(all).length ? all : Object.fromEntries(changed)
})

export function operationForm(
  operation: Operation,
  action: string,
  values: FieldValues,
  addresses: Addresses,
  members: Members = operation.params,
): DocumentForm {
  const title = say(operation.title)
  const fields = fixedFields(operation, members, addresses).map((field) => {
    const value = values[field.name]
    const text =
      Array.isArray(value) && members[field.name]?.kind.name === 'choices' ? fieldText(value) : plainText(value ?? '')
    return text === '' ? field : { ...field, value: text }
  })
  return { title, action, method: 'post', submit: title, fields, hidden: {} }
}

/** The fields without their values, created once: a page has the forms of many operations. */
function fixedFields(operation: Operation, members: Members, addresses: Addresses): readonly FormField[] {
  const known = fixed.get(operation)
  if (known?.members === members && known.addresses === addresses) return known.fields
  const asked = Object.entries(members).flatMap(([name, member]) =>
    isOnlyChoice(member.kind) ? [] : [[name, member] as const],
  )
  // One of several suffices for some.
  const isOptional = operation.needsOne === true && asked.length > 1
  const fields = formFields(
    Object.fromEntries(isOptional ? asked : asked.map(alwaysChosen)),
    {},
    operation.examples[0],
  ).map((field) => {
    const { kind } = members[field.name] ?? {}
    const picks = picksOf(field.name, kind, operation, addresses)
    if (picks === undefined) return field
    return { ...field, picks, label: kind?.titled === undefined ? picks.label : field.label }
  })
  fixed.set(operation, { members, addresses, fields })
  return fields
}

const alwaysChosen = ([name, member]: readonly [string, Members[string]]): readonly [string, Members[string]] => [
  name,
  isArranged(member.kind) ? { ...member, required: true } : member,
]

/** A choice whose values were arranged always has one; it is prefilled unless it depends on another field. */
const isArranged = ({ arranged, nullable, within }: Kind<unknown>): boolean =>
  arranged === true && !nullable && (within?.ranks.size ?? 1) === 1

const fixed = new WeakMap<
  Operation,
  { readonly members: Members; readonly addresses: Addresses; readonly fields: readonly FormField[] }
>()
