import type { Fault } from '../../values/faults/fault.ts'
import { isSameValue } from '../../values/json/canonical.ts'
import { isObject } from '../../values/json/is-object.ts'
import { flattened, ownField } from '../../values/json/own.ts'
import { groupOf } from '../../values/json/places.ts'
import { pointerTo } from '../../values/json/pointer.ts'
import { currency as currencyCode } from '../../values/kinds/codes.ts'
import type { Kind } from '../../values/kinds/kind.ts'
import { decimalsFault } from '../../values/kinds/money.ts'
import {
  type FurtherCheck,
  type Members,
  memberEntries,
  memberPointer,
  nested,
  readMembers,
  withMembers,
  writeMembers,
} from '../../values/members.ts'
import {
  type Circumstances,
  type ConditionFaults,
  type DecidingFacts,
  type DeclaredOperation,
  type Occupied,
  type Params,
  type PartCounts,
  type QueryFaults,
  type Rule,
  valueIn,
  whyNot,
} from '../declaration/operation.ts'
import type { Refusal } from '../declaration/refusal.ts'
import type { Key, Thing } from '../declaration/resource.ts'
import type { Operation, Resource } from '../declaration/schema.ts'
import { fittingExamples } from './fitting-examples.ts'

/** The operation that a declaration describes, on the resource of a schema. */
export function operationOn(on: Resource, declaration: DeclaredOperation): Operation {
  const {
    apply,
    usual,
    check,
    differences,
    allowed: rules,
    undo,
    fromAttributes,
    fromRow,
    examples,
    ...rest
  } = declaration
  const members = declaration.params(on)
  // The declaration is typed by its resource; a schema has operations on any thing.
  const allowed = rules as unknown as readonly Rule<Thing>[]
  const references = Object.entries(members).flatMap(([name, { kind }]) => {
    const { refersTo: to, isLink = false } = kind
    return to === undefined ? [] : [{ name, to, isLink }]
  })
  const queries = Object.entries(members).flatMap(([name, { kind }]) =>
    kind.queryOf === undefined ? [] : [{ name, of: kind.queryOf }],
  )
  const namesAtAnyTime = [...Object.keys(members), ownField('')]
  const timed = Object.keys(members).filter((name) => members[name]?.orNow)
  const withTimes = <V extends object>(values: V, now: string): V =>
    timed.length === 0 ? values : { ...Object.fromEntries(timed.map((name) => [name, now])), ...values }
  let fitting: Operation['examples'] | undefined
  const operation: Operation = {
    ...rest,
    get examples() {
      fitting ??= fittingExamples(examples, operation)
      return fitting
    },
    ...(differences && { differences }),
    ...(usual && { usual: (sent) => usual(sent, on.schema) }),
    ...(undo && { undo: (before, params) => undo(flattened(before), params, on) }),
    ...(fromAttributes && { fromAttributes: (thing, wanted) => fromAttributes(thing, wanted, on) }),
    ...(fromRow && { fromRow: (thing, wanted) => fromRow(thing, wanted, on) }),
    ...(declaration.sets && { sets: { ...declaration.sets, ...addedIn(on, members) } }),
    on,
    params: members,
    changes: declaration.changes ?? Object.keys(members),
    allowed,
    decide(thing, rawParams, { now, exists, queryFaults, unconditional, ...circumstances }) {
      const facts = factsOf(on, thing, circumstances)
      const read = readMembers(members, rawParams, decimalsIn(currencyOf(on, thing, rawParams)))
      const [sound, faults] = 'faults' in read ? [read.sound, read.faults] : [read.values, []]
      const wrong = [
        ...faults,
        ...missing(references, sound, thing, exists),
        ...unanswerable(on, queries, sound, faults, thing, queryFaults),
        ...nothingSent(declaration, members, rawParams),
        ...(check?.(sound, now, facts) ?? []),
      ]
      if ('faults' in read || wrong.length > 0) return { faults: wrong }
      if (declaration.prepares && circumstances.prepared === undefined) return { prepare: read.values }
      const reason = whyNot(allowed, thing, now)
      if (reason !== undefined && !unconditional) return { notAllowed: reason }
      const values = withTimes(read.values, now)
      const { occupied, ...change } = {
        ...apply(thing, values, now, facts),
        ...drawn(declaration, circumstances),
      } as object & Occupied
      if ('faults' in change) return change as { readonly faults: readonly Fault[] }
      if ('refused' in change) return change as { readonly refused: Refusal }
      const after = (change: object): Thing => ({ ...thing, ...change, updatedAt: now, revision: thing.revision + 1 })
      if ('instead' in change) return insteadOf(on, thing, change as ChangedInstead, after)
      const next = declaration.keepsState ? thing : after(change)
      const params = writeMembers(members, values)
      return {
        thing: next,
        params: differences ? differing(on, params, thing, next) : params,
        ...(occupied && { occupied }),
      }
    },
    normalize(rawParams) {
      if (!isObject(rawParams)) return undefined
      const read = readMembers(members, rawParams)
      const sound: object = 'values' in read ? read.values : read.sound
      // A member of a group that is null in a creation is not set, as if it were absent.
      const isSaid = ([name, value]: readonly [string, unknown]): boolean =>
        declaration.to !== 'nothing' || value !== null || groupOf(name) === ''
      const values = on.added.length === 0 ? sound : Object.fromEntries(Object.entries(sound).filter(isSaid))
      const written = writeMembers(members, values)
      if ('values' in read) return written
      // The model may have become stricter since: what it does not accept any more stays, written as it was.
      const others = memberEntries(namesAtAnyTime, rawParams).filter(([name]) => !Object.hasOwn(sound, name))
      const kept = others.map(([name, value]): readonly [string, unknown] => [
        name,
        writtenOnce(on.retired?.[name] ?? members[name]?.kind, value),
      ])
      return withMembers(written, kept.filter(isSaid)) as Params
    },
  }
  return operation
}

/** The secret that was drawn for it. */
const drawn = ({ draws }: DeclaredOperation, { prepared }: Pick<Circumstances, 'prepared'>): object =>
  draws === undefined || typeof prepared !== 'string' ? {} : { [draws]: prepared }

/** One text for what a kind takes as one value, also where it does not take it any more. */
function writtenOnce(kind: Kind<unknown> | undefined, value: unknown): unknown {
  const read = kind?.read(value)
  if (kind !== undefined && read !== undefined && 'value' in read)
    return read.value === null ? null : kind.write(read.value)
  return kind?.unordered && Array.isArray(value) ? [...new Set(value)].toSorted() : value
}

interface ChangedInstead {
  readonly instead: string
  readonly change: object
}

/** The change of another operation, with the fields that differ as its parameters. */
function insteadOf(on: Resource, thing: Thing, { instead, change }: ChangedInstead, after: (change: object) => Thing) {
  const next = after(change)
  const written = Object.entries(change).map(([name, value]) => [name, on.kinds[name]?.write(value) ?? null])
  return { thing: next, params: differing(on, Object.fromEntries(written), thing, next), instead }
}

/** Most operations ask for none of the further facts. */
const factsOf = (
  on: Resource,
  thing: Thing,
  { counts = NO_COUNTS, caller, known, prepared, conditionFaults = NO_FAULTS }: Partial<Circumstances>,
): DecidingFacts<Thing, never, never> => ({
  on,
  thing,
  counts,
  caller,
  // An operation declares the types of what it asks for.
  known: known as never,
  prepared: prepared as never,
  conditionFaults,
})

const NO_COUNTS: PartCounts = new Map()
const NO_FAULTS: ConditionFaults = () => []

/** The fault of parameters of which at least one must be sent. */
function nothingSent({ needsOne }: DeclaredOperation, members: Members, sent: unknown): readonly Fault[] {
  if (!needsOne || !isObject(sent)) return []
  const names = Object.keys(members)
  if (names.some((name) => Object.hasOwn(sent, name))) return []
  return [{ code: 'one-required', with: { names }, at: { pointer: '' } }]
}

/** A parameter with the name of an added field sets it. */
const addedIn = ({ added }: Resource, members: Members): { readonly [param: string]: string } =>
  Object.fromEntries(added.flatMap(({ name }) => (Object.hasOwn(members, name) ? [[name, name]] : [])))

/** Finds amounts with more decimals than their currency has; skipped if the currency is unknown. */
const decimalsIn =
  (currency: string | undefined): FurtherCheck =>
  ({ name, decimals }, value) =>
    currency !== undefined && name === 'amount' && decimals === undefined && typeof value === 'number'
      ? decimalsFault(value, currency)
      : undefined

/** The parameters of a creation may name another currency. */
function currencyOf({ moneyIn }: Resource, thing: Thing, rawParams: unknown): string | undefined {
  if (moneyIn === undefined) return undefined
  if (!isObject(rawParams) || !Object.hasOwn(rawParams, moneyIn)) return valueIn(thing, moneyIn) as string
  const stated = currencyCode.read(rawParams[moneyIn])
  return 'value' in stated ? stated.value : undefined
}

function missing(
  references: readonly { readonly name: string; readonly to: string; readonly isLink: boolean }[],
  values: object,
  thing: Thing,
  exists: Circumstances['exists'],
): readonly Fault[] {
  return references.flatMap(({ name, to, isLink }) => {
    const id = valueIn(values, name)
    if (id === undefined || id === null || exists(to, id as Key, isLink)) return []
    // A thing may be gone since the link named it.
    if (isLink && valueIn(thing, name) === id) return []
    return [{ code: 'not-found', with: { on: to, id: id as Key }, at: { pointer: memberPointer(name) } }]
  })
}

/** A query is checked when it or its collection is sent: an earlier saved one stays unchanged. */
function unanswerable(
  on: Resource,
  queries: readonly { readonly name: string; readonly of: string }[],
  values: object,
  faults: readonly Fault[],
  thing: Thing,
  faultsOf: QueryFaults,
): readonly Fault[] {
  const isFaulty = (name: string): boolean => faults.some(({ at }) => at.pointer === pointerTo(name))
  return queries.flatMap(({ name, of }) => {
    // Its own fault and that of its collection are already reported.
    if (isFaulty(name) || isFaulty(of)) return []
    const isSent = Object.hasOwn(values, name) || Object.hasOwn(values, of)
    const opened = opens(on, values, thing)
    if (!isSent && opened === undefined) return []
    const [collection, query] = [of, name].map((each) => valueIn(values, each) ?? valueIn(thing, each))
    return faultsOf(String(collection), String(query)).map(({ at, ...each }) => ({
      ...each,
      at: { ...at, pointer: pointerTo(isSent ? (at.parameter === undefined ? of : name) : (opened ?? name)) },
    }))
  })
}

/** The field that shows a private thing to others. What the model has lost since is not shown. */
function opens({ privacy }: Resource, values: object, thing: Thing): string | undefined {
  const { shared } = privacy ?? {}
  return shared !== undefined && valueIn(values, shared) === true && valueIn(thing, shared) !== true
    ? shared
    : undefined
}

function differing({ names }: Resource, params: Params, before: Thing, after: Thing): Params {
  const differs = ([name]: readonly [string, unknown]) => !isSameValue(valueIn(before, name), valueIn(after, name))
  return nested(memberEntries(names, params).filter(differs)) as Params
}
