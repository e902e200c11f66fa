import type { Call } from '../../http/contract/endpoint.ts'
import type { ShownList } from '../../http/contract/shown.ts'
import { auditedAddress } from '../../http/respond/audited-documents.ts'
import { say } from '../../languages/say.ts'
import type { Operation, Resource } from '../../model/declaration/schema.ts'
import { mayEver } from '../../model/intent/caller.ts'
import { operationsOnExisting } from '../../model/schema/resources.ts'
import type { DocumentForm } from '../../representations/document.ts'
import { refusedCreation } from '../creation/view.ts'
import { operationForm } from '../forms/operation-form.ts'
import type { FormRefusal } from '../forms/refused-form.ts'
import type { Screen } from '../parts/screen.ts'
import { type FieldsOfThing, readThing } from '../parts/shown.ts'
import { type AuditedPage, auditedList, auditedPage } from './view.ts'

// The list, the page and the forms of a resource that the audit tells of, as its declaration has them.

export function showAuditedList(resource: Resource, list: ShownList, call: Call): Screen {
  const create = resource.operations.find(({ to }) => to === 'nothing')
  const page = {
    ...contextOf(resource, call),
    list,
    things: Array.from(list.items, readThing),
    creation: create && mayEver(call, resource, create) ? formOf(create, call) : undefined,
  }
  return () => auditedList(page)
}

/** `shown` is the document, with a secret that was just drawn. */
export function showAuditedThing(resource: Resource, shown: FieldsOfThing, call: Call): Screen {
  const offered = operationsOnExisting(resource).filter((operation) => mayEver(call, resource, operation))
  const page: AuditedPage = {
    ...contextOf(resource, call),
    thing: shown,
    once: Object.keys(resource.once ?? {}).flatMap((name) => (shown[name] === undefined ? [] : [String(shown[name])])),
    forms: offered.map((operation) => ({ operation, form: formOf(operation, call, shown) })),
  }
  return () => auditedPage(page)
}

/** A refused form is shown again, with its values and faults. */
export function showRefusedAudited(operation: Operation, refusal: FormRefusal, call: Call): Screen | undefined {
  const { fields, params, service } = call
  const { on } = operation
  if (fields === undefined) return undefined
  const known = params[on.key] === undefined ? undefined : { ...params }
  return refusedCreation(refusal, formOf(operation, call, known), fields, {
    href: service.addresses.base + on.path,
    text: on.plural,
  })
}

const contextOf = (resource: Resource, { service: { addresses } }: Call) => ({
  resource,
  addresses,
  addressOf: (thing: FieldsOfThing) => auditedAddress(resource, thing, addresses),
})

/** Sent to the list, or to the noun of a thing; a change has the values that there are. */
function formOf(operation: Operation, { service: { addresses } }: Call, thing: FieldsOfThing = {}): DocumentForm {
  const { on, words, name, to, params } = operation
  const action =
    to === 'nothing' ? addresses.base + on.path : `${auditedAddress(on, thing, addresses)}/${words.noun || name}`
  const values = Object.fromEntries(Object.keys(params).map((param) => [param, thing[param]]))
  const { revision } = thing
  return {
    ...operationForm(operation, action, values, addresses),
    hidden: revision === undefined ? {} : { _revision: String(revision) },
    submit: say(operation.title),
  }
}
