import type { Fault } from '../../values/faults/fault.ts'
import type { Json } from '../../values/kinds/kind.ts'
import { capitalized } from '../../values/kinds/text.ts'
import { isSameId } from '../../values/kinds/uuid.ts'
import { isObject } from '../../values/members.ts'
import type { Params } from '../operation.ts'
import { membersToCreate } from '../resource.ts'
import { operationNamed, resourceNamed } from '../resources.ts'
import type { Operation, Resource } from '../schema.ts'
import type { AskedAttributes, AskedOperation, DecisionFacts, Intent } from './intent.ts'

/** The content of a command in canonical form: a repeat must have the same. */
export interface CommandContent {
  readonly resource: Resource
  readonly operation: Operation | undefined
  readonly action: string
  /** Computed on demand: only commands need it. */
  readonly params: () => Params
  /** The parameters as sent, without the id that may be among them. */
  readonly sent: unknown
  /** The faults of that id. */
  readonly faults: readonly Fault[]
}

export function contentOf(intent: Intent, facts: DecisionFacts): CommandContent {
  const resource: Resource = resourceNamed(facts.schema, intent.resource)
  return 'attributes' in intent.change
    ? attributeContent(resource, intent.change, intent.target)
    : operationContent(resource, intent.change, intent.target, facts)
}

function operationContent(
  resource: Resource,
  change: AskedOperation,
  target: unknown,
  facts: DecisionFacts,
): CommandContent {
  const operation = operationNamed(change.action, resource)
  const raw = change.params ?? {}
  const { sent, faults } =
    operation?.to === 'nothing'
      ? { sent: withDefaults(raw, operation, facts), faults: [] }
      : withoutId(resource, raw, target)
  const action = operation?.words.action ?? textOf(change.action)
  const further = asParams(change.afterwards?.attributes ?? {})
  const params = (): Params => ({ ...(operation?.normalize(sent) ?? asParams(sent)), ...further })
  return { resource, operation, action, params, sent, faults }
}

/**
 * Adds the settings' defaults to the parameters of a creation; for a known command, those of its time. decisions/0005
 */
function withDefaults(raw: unknown, { params }: Operation, { defaults, command }: DecisionFacts): unknown {
  if (!isObject(raw)) return raw
  const missing = Object.entries(defaults).filter(([name]) => params[name]?.required === false)
  const added = missing.map(([name, value]) => [name, command?.params[name] ?? value])
  return { ...Object.fromEntries(added), ...raw }
}

/** If every update of the resource is one operation, the command has its name; otherwise its own. */
function attributeContent(
  resource: Resource,
  { attributes, whole = false }: AskedAttributes,
  target: unknown,
): CommandContent {
  const { sent, faults } = withoutId(resource, attributes, target)
  const [first, second] = resource.operations.filter(({ fromAttributes }) => fromAttributes !== undefined)
  const only = first?.differences && second === undefined ? first : undefined
  const given = only && isObject(sent) ? givenIn(resource, sent, whole) : sent
  return {
    resource,
    operation: undefined,
    action: only?.words.action ?? updateAction(resource),
    params: () => only?.normalize(given) ?? asParams(sent),
    sent,
    faults,
  }
}

/** The action of an attribute update's command. */
export const updateAction = ({ name }: Pick<Resource, 'name'>): string => `Update${capitalized(name)}`

/** A body without the members that the service assigns. An unknown member stays: no command has it. */
function givenIn(resource: Resource, body: object, whole: boolean): object {
  const create = membersToCreate(resource)
  const isAssigned = (name: string): boolean => name === 'links' || resource.names.includes(name)
  const sent = Object.entries(body).filter(([name]) => Object.hasOwn(create, name) || !isAssigned(name))
  if (!whole) return Object.fromEntries(sent)
  const initial = Object.entries(create).flatMap(([name, member]) =>
    'default' in member ? [[name, member.kind.write(member.default)]] : [],
  )
  return { ...Object.fromEntries(initial), ...Object.fromEntries(sent) }
}

const asParams = (raw: unknown): Params => (isObject(raw) ? (raw as Params) : { value: raw as Json })

interface SentParams {
  readonly sent: unknown
  readonly faults: readonly Fault[]
}

/** `id` may be among the parameters if it equals the address's. */
function withoutId(resource: Resource, raw: unknown, id: unknown): SentParams {
  if (!isObject(raw) || !Object.hasOwn(raw, 'id')) return { sent: raw, faults: [] }
  const { id: beside, ...sent } = raw
  if (isSameId(beside, id)) return { sent, faults: [] }
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
