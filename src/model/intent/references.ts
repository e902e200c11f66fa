import type { Fault } from '../../values/faults/fault.ts'
import { isObject } from '../../values/json/is-object.ts'
import { memberEntries, memberPointer, withMembers } from '../../values/members.ts'
import type { Refusal } from '../declaration/refusal.ts'
import type { Key } from '../declaration/resource.ts'
import type { Resource, Schema } from '../declaration/schema.ts'
import { operationNamed, resourceNamed } from '../schema/resources.ts'
import type { Intent } from './intent.ts'

/** The thing of an earlier intent. */
export interface NamedThing {
  /** Undefined if it is not yet known. */
  readonly resource: string | undefined
  readonly id: Key
}

/** The parts of an intent that may name another. */
type Referring = Pick<Intent, 'resource' | 'target' | 'change' | 'pointers'>

/** Replaces references to earlier intents by the ids of their things. */
export function resolveReferences<I extends Referring>(
  intent: I,
  schema: Schema,
  thingAt: (index: number) => NamedThing | 'refused' | 'forgotten' | undefined,
): { readonly intent: I } | { readonly because: number } | { readonly refusal: Refusal } {
  const named = referencesIn(intent, schema)
  if (named.length === 0) return { intent }
  const faults: Fault[] = []
  const replaced = new Map<string | undefined, Key>()
  for (const { index, param, resource, pointer } of named) {
    const thing = thingAt(index)
    if (thing === 'refused') return { because: index }
    const at = { pointer }
    if (thing === 'forgotten') faults.push({ code: 'command-too-far-back', with: { command: index }, at })
    else if (thing === undefined) faults.push({ code: 'command-not-before', with: { command: index }, at })
    else if (thing.resource !== undefined && thing.resource !== resource) {
      faults.push({ code: 'command-about-other', with: { command: index, on: thing.resource, resource }, at })
    } else replaced.set(param, thing.id)
  }
  if (faults.length > 0) return { refusal: { code: 'invalid', faults } }
  return { intent: withReplaced(intent, replaced) }
}

/**
 * An intent whose digest tells which things its references mean: the same text means others in another batch. Any text
 * counts, for the model may have lost the field that it was a reference of.
 */
export function withThings(intent: Intent, thingAt: (index: number) => NamedThing | 'refused' | undefined): Intent {
  const { target = null, change, command } = intent
  if (command?.sentAs === undefined) return intent
  const things = [...JSON.stringify([target, change]).matchAll(/"\$(0|[1-9]\d{0,14})"/g)].map(([, index]) => {
    const thing = thingAt(Number(index))
    return typeof thing === 'object' ? thing.id : null
  })
  return things.length === 0
    ? intent
    : { ...intent, command: { ...command, sentAs: [command.sentAs, ...things].join(' ') } }
}

interface PlaceReference {
  readonly index: number
  /** The parameter or attribute; undefined for the target. */
  readonly param: string | undefined
  readonly resource: string
  readonly pointer: string
}

const place = /^\$(0|[1-9]\d{0,14})$/

function referencesIn({ resource, target, change, pointers }: Referring, schema: Schema): readonly PlaceReference[] {
  const found: PlaceReference[] = []
  const look = (raw: unknown, param: string | undefined, to: string, pointer: string): void => {
    const [, digits] = (typeof raw === 'string' && place.exec(raw)) || []
    if (digits !== undefined) found.push({ index: Number(digits), param, resource: to, pointer })
  }
  look(target, undefined, resource, pointers.target)
  const sent = 'attributes' in change ? change.attributes : change.params
  if (!isObject(sent)) return found
  const on: Resource = resourceNamed(schema, resource)
  const operation = 'attributes' in change ? undefined : operationNamed(change.action, on)
  for (const [name, raw] of memberEntries(on.names, sent)) {
    const kind = 'attributes' in change ? on.kinds[name] : operation?.params[name]?.kind
    if (kind?.refersTo !== undefined) look(raw, name, kind.refersTo, pointers.params + memberPointer(name))
  }
  return found
}

function withReplaced<I extends Referring>(intent: I, replaced: ReadonlyMap<string | undefined, Key>): I {
  const { change } = intent
  const target = replaced.get(undefined) ?? intent.target
  const members = [...replaced].filter((each): each is [string, Key] => each[0] !== undefined)
  const put = (sent: unknown): unknown => (isObject(sent) ? withMembers(sent, members) : sent)
  return {
    ...intent,
    ...(target !== undefined && { target }),
    change:
      'attributes' in change
        ? { ...change, attributes: put(change.attributes) }
        : { ...change, params: put(change.params) },
  }
}
