import { type Fault, near } from '../../values/faults/fault.ts'
import { nearest } from '../../values/faults/nearest.ts'
import { isObject } from '../../values/json/is-object.ts'
import type { Json } from '../../values/json/json.ts'
import { capitalized } from '../../values/kinds/text.ts'
import { isSameId } from '../../values/kinds/uuid.ts'
import { memberEntries, nested, withMembers } from '../../values/members.ts'
import type { Params } from '../declaration/operation.ts'
import type { Refusal } from '../declaration/refusal.ts'
import { membersToCreate } from '../declaration/resource.ts'
import type { Operation, Resource } from '../declaration/schema.ts'
import type { DecisionFacts, Intent } from '../intent/intent.ts'
import { operationNamed, operationWords, placedBesideOthers } from '../schema/resources.ts'
import type { AskedAttributes, AskedOperation } from '../source/asked.ts'

/** The content of a command in canonical form: a repeat must have the same. */
export interface CommandContent {
  readonly intent: Intent
  readonly resource: Resource
  readonly operation: Operation | undefined
  readonly action: string
  /** Computed on demand: only commands need it. */
  readonly params: () => Params
  /** The parameters as sent, without the id that may be among them. */
  readonly sent: unknown
  /** The faults of that id. */
  readonly faults: readonly Fault[]
  /** The faults of texts for persons. */
  readonly persons?: readonly Fault[]
}

export function contentOf(asked: Intent, facts: DecisionFacts): CommandContent {
  const { change, faults, faultsIfNew } = asked
  const isNew = faultsIfNew !== undefined && facts.command === undefined
  const intent = isNew ? { ...asked, faults: [...faults, ...faultsIfNew] } : asked
  return 'attributes' in change ? attributeContent(intent, change, facts) : operationContent(intent, change, facts)
}

function operationContent(intent: Intent, change: AskedOperation, facts: DecisionFacts): CommandContent {
  const { resource } = facts
  const operation = operationNamed(change.action, resource)
  const raw = change.params ?? {}
  const { sent, faults } =
    operation?.to === 'nothing'
      ? { sent: withDefaults(raw, operation, facts), faults: [] }
      : withoutId(resource, raw, intent, facts)
  const action = operation?.words.action ?? textOf(change.action)
  const further = asParams(change.afterwards?.attributes ?? {})
  const params = (): Params => ({ ...(operation?.normalize(sent) ?? asParams(sent)), ...further })
  return { intent, resource, operation, action, params, sent, faults }
}

/**
 * Adds the settings' defaults to the parameters of a creation; for a known command, those of its time. decisions/0005
 */
function withDefaults(raw: unknown, { params, usual }: Operation, { defaults, command }: DecisionFacts): unknown {
  if (!isObject(raw)) return raw
  const further = Object.entries(usual?.(raw) ?? {}).flatMap(([name, value]) =>
    command === undefined ? [[name, value]] : name in command.params ? [[name, command.params[name]]] : [],
  )
  const missing = Object.entries(defaults).filter(([name]) => params[name]?.required === false)
  const added = missing.map(([name, value]) => [name, command?.params[name] ?? value])
  return { ...Object.fromEntries(added), ...Object.fromEntries(further), ...raw }
}

/** If every update of the resource is one operation, the command has its name; otherwise its own. */
function attributeContent(
  intent: Intent,
  { attributes, whole = false, makes = false }: AskedAttributes,
  facts: DecisionFacts,
): CommandContent {
  const { resource } = facts
  const { sent, faults } = withoutId(resource, attributes, intent, facts)
  if (makes) {
    const by = isObject(intent.target) ? Object.entries(intent.target) : []
    const params = () => (isObject(sent) ? withMembers(sent, by) : asParams(sent)) as Params
    return { intent, resource, operation: undefined, action: upsertAction(resource), params, sent, faults }
  }
  const [first, second] = resource.operations.filter(({ fromAttributes }) => fromAttributes !== undefined)
  const only = first?.differences && second === undefined ? first : undefined
  const given = only && isObject(sent) ? givenIn(resource, sent, whole) : sent
  return {
    intent,
    resource,
    operation: undefined,
    action: only?.words.action ?? updateAction(resource),
    params: () => only?.normalize(given) ?? asParams(sent),
    sent,
    faults,
  }
}

/** The action that creates or changes the thing with a unique value. */
export const upsertAction = ({ name }: Pick<Resource, 'name'>): string => `Upsert${capitalized(name)}`

/** Whether a word names that action: like an operation's, in full or on its resource alone. */
export const isUpsert = (resource: Resource, word: unknown): boolean =>
  resource.uniques.length > 0 && (word === upsertAction(resource) || word === 'upsert')

/** The id in the address or body; if a unique value is there instead, the id of its thing. */
const addressedId = ({ target }: Intent, { thing, command }: DecisionFacts): unknown =>
  isObject(target) ? (command?.subject ?? thing?.id) : target

/** The action of an attribute update's command. */
export const updateAction = ({ name }: Pick<Resource, 'name'>): string => `Update${capitalized(name)}`

/** A body without the members that the service assigns. An unknown member stays: no command has it. */
function givenIn(resource: Resource, body: object, whole: boolean): object {
  const create = membersToCreate(resource)
  const isAssigned = (name: string): boolean => name === 'links' || resource.names.includes(name)
  const sent = Object.entries(body).filter(([name]) => Object.hasOwn(create, name) || !isAssigned(name))
  if (!whole) return Object.fromEntries(sent)
  const stays = placedBesideOthers(resource)
  const initial = Object.entries(create).flatMap(([name, member]) =>
    'default' in member && !stays.has(name) ? [[name, member.kind.write(member.default)] as const] : [],
  )
  return withMembers(nested(initial), memberEntries(resource.names, Object.fromEntries(sent)))
}

const asParams = (raw: unknown): Params => (isObject(raw) ? (raw as Params) : { value: raw as Json })

interface SentParams {
  readonly sent: unknown
  readonly faults: readonly Fault[]
}

/** `id` may be among the parameters if it equals the address's, which may be a name. */
function withoutId(resource: Resource, raw: unknown, intent: Intent, facts: DecisionFacts): SentParams {
  if (!isObject(raw) || !Object.hasOwn(raw, 'id')) return { sent: raw, faults: [] }
  const { id: beside, ...sent } = raw
  const { target } = intent
  const id = addressedId(intent, facts)
  const isName = isObject(target) && typeof beside === 'string' && target[resource.addressedBy ?? ''] === beside
  if (isName || isSameId(beside, id)) return { sent, faults: [] }
  return {
    sent,
    faults: [{ code: 'not-addressed', with: { on: resource.name, id: idText(resource, id) }, at: { pointer: '/id' } }],
  }
}

/** An id as answers spell it, in whichever case it was sent. */
export function idText({ kinds: { id: kind } }: Resource, id: unknown): string {
  const read = kind?.read(id)
  return textOf(read !== undefined && 'value' in read ? read.value : id)
}

/** Any input as text; never calls an object's own `toString`. */
export const textOf = (raw: unknown): string => (typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? ''))

/** A body that is not an object lacks every member: one fault is enough. */
export function invalidAround({ faults }: Intent, missing: Fault): Refusal {
  const isObject = faults.every(({ at }) => at.pointer !== '')
  return { code: 'invalid', faults: isObject ? [missing, ...faults] : faults }
}

export function unknownAction({ intent, resource }: CommandContent): Refusal {
  const at = { pointer: intent.pointers.action }
  const action = 'action' in intent.change ? intent.change.action : undefined
  if (action === undefined) return invalidAround(intent, { code: 'required', at })
  if (typeof action !== 'string') return invalidAround(intent, { code: 'type', with: { wants: 'string' }, at })
  const facts = { operation: action.length > 64 ? `${action.slice(0, 64)}…` : action }
  const known = near(nearest(action, operationWords(resource)))
  return { code: 'unknown-action', fault: { code: 'unknown-operation', with: { ...facts, ...known }, at } }
}
