import type { Refusal, WrongState } from '../../model/declaration/refusal.ts'
import type { Key } from '../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../model/declaration/schema.ts'
import { operationNamed, resourceNamed } from '../../model/schema/resources.ts'
import type { StoredEvent } from '../../store/port/desk.ts'
import type { Fault } from '../../values/faults/fault.ts'
import { parseExact } from '../../values/json/exact-numbers.ts'
import type { Json } from '../../values/json/json.ts'
import type { Applied, Undecided, WriteOutcome } from '../contract/write.ts'

// The result of a dry run for things that do not exist: no id, and no link to nowhere. decisions/0009

/** The `$` and index of the write that creates a thing; undefined if it exists. */
type NameOfDraft = (resource: string, id: unknown) => string | undefined

/** The outcomes of a dry run, without the things that only it creates. */
export function withoutDrafts(
  written: readonly (WriteOutcome | Undecided)[],
  schema: Schema,
): readonly (WriteOutcome | Undecided)[] {
  const drafts = new Map<string, string>()
  const nameOf: NameOfDraft = (resource, id) => drafts.get(`${resource} ${id}`)
  return written.map((each, index) => {
    if (!('outcome' in each)) return each
    const { intent, outcome } = each
    const resource = resourceNamed(schema, intent.resource)
    if (outcome.kind === 'refused') return { ...each, outcome: { ...outcome, refusal: named(outcome.refusal, nameOf) } }
    // A repeat shows the created thing.
    const isDraft = (intent.target === undefined || outcome.made) && !outcome.replayed
    if (isDraft) drafts.set(`${resource.name} ${outcome.thing.id}`, `$${index}`)
    return { ...each, outcome: withoutDraftsIn(resource, outcome, nameOf), isDraft }
  })
}

function withoutDraftsIn(resource: Resource, outcome: Applied['outcome'], nameOf: NameOfDraft): Applied['outcome'] {
  const { thing, event } = outcome
  const { name, references } = resource
  const tried = references.filter(({ field, to }) => nameOf(to, thing[field]) !== undefined).map(({ field }) => field)
  const hidden = nameOf(name, thing.id) === undefined ? tried : ['id', ...tried]
  if (hidden.length === 0) return outcome
  const members = Object.entries(parseExact(thing.json) as object)
  return {
    ...outcome,
    thing: {
      ...thing,
      ...Object.fromEntries(tried.map((field) => [field, null])),
      json: JSON.stringify(Object.fromEntries(members.filter(([field]) => !hidden.includes(field)))),
    },
    event: event && { ...event, entry: entryWithoutDrafts(resource, event, nameOf) },
  }
}

function entryWithoutDrafts(resource: Resource, { operation, entry }: StoredEvent, nameOf: NameOfDraft): string {
  const { params, ...others } = parseExact(entry) as { readonly params: object }
  const known = operationNamed(operation, resource)?.params ?? {}
  const shown = Object.entries(params).filter(
    ([name, value]) => nameOf(known[name]?.kind.refersTo ?? '', value) === undefined,
  )
  return JSON.stringify({ ...others, params: Object.fromEntries(shown) })
}

/** A refusal in which things that do not exist have the batch's names. */
const named = (refusal: Refusal, nameOf: NameOfDraft): Refusal =>
  (renaming[refusal.code as Naming['code']] as Renaming<Refusal> | undefined)?.(refusal, nameOf) ?? refusal

/** The refusals that name things: the compiler asks for a row for each. */
type Naming = Extract<
  Refusal,
  | { readonly id: Key }
  | { readonly value: Json }
  | { readonly faults: readonly Fault[] }
  | { readonly thing: WrongState['thing'] }
>

/** Undefined if all of its things exist. */
type Renaming<R extends Refusal> = (refusal: R, nameOf: NameOfDraft) => Refusal | undefined

const byId = <R extends Extract<Refusal, { readonly resource: string; readonly id: Key }>>(
  refusal: R,
  nameOf: NameOfDraft,
): R | undefined => {
  const id = nameOf(refusal.resource, refusal.id)
  return id === undefined ? undefined : { ...refusal, id }
}

const renaming: { readonly [C in Naming['code']]: Renaming<Extract<Refusal, { readonly code: C }>> } = {
  'not-found': byId,
  deleted: byId,
  'not-owner': byId,
  'not-allowed': byId,
  'stage-requires': byId,
  closing: byId,
  'in-use'(refusal, nameOf) {
    const heldBy = refusal.heldBy?.map((each) => ({ ...each, id: nameOf(each.on, each.id) ?? each.id }))
    return { ...(byId(refusal, nameOf) ?? refusal), ...(heldBy && { heldBy }) }
  },
  'not-unique'({ other, ...rest }, nameOf) {
    const draft = nameOf(rest.resource, other)
    return draft === undefined ? undefined : { ...rest, other: draft }
  },
  invalid: (refusal, nameOf) => ({ ...refusal, faults: refusal.faults.map((fault) => namedIn(fault, nameOf)) }),
  'wrong-state'({ thing: { id, ...thing }, ...rest }, nameOf) {
    return nameOf(rest.resource, id) === undefined ? undefined : { ...rest, thing }
  },
}

/** A fault that names a thing has it `on` a resource, with its `id`. */
function namedIn(fault: Fault, nameOf: NameOfDraft): Fault {
  const { on, id } = fault.with ?? {}
  const draft = nameOf(String(on), id)
  return draft === undefined ? fault : { ...fault, with: { ...fault.with, id: draft } }
}
