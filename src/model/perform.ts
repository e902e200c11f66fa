import { canonicalJson } from '../values/canonical.ts'
import { checkGuard, excluded, type Guard, includesState, type State } from '../values/guard.ts'
import type { Json } from '../values/kind.ts'
import { type Fault, isObject } from '../values/members.ts'
import { nearest } from '../values/nearest.ts'
import { notBefore } from '../values/time.ts'
import { isSameId, isUuid, lowerUuid } from '../values/uuid.ts'
import { blankDeal, type Deal } from './deal/deal.ts'
import { operationNamed, operationWords } from './deal/operations.ts'
import type { DealEvent, FormName } from './event.ts'
import type { Operation, Params } from './operation.ts'
import { decideAttributes } from './perform/decide-attributes.ts'
import { type Decided, wrongState } from './perform/decided.ts'
import type { DealRefusal, WrongState } from './refusal.ts'

/** What a client asks to be done with a deal, whichever form it was asked in. Plain data: it crosses threads. */
export interface Intent {
  /** The deal's id as it was sent; nothing when none was. */
  readonly deal?: unknown
  readonly change: OperationAsked | { readonly attributes: unknown }
  /** Where the parts stood in the body that was sent. */
  readonly pointers: { readonly deal: string; readonly action: string; readonly params: string }
  /** What is wrong with the body around the parameters. */
  readonly faults: readonly Fault[]
  /** What is wrong besides with the body of a command that is not known yet. */
  readonly faultsIfNew?: readonly Fault[]
  /** A command is decided once: under an id of its own, or under an idempotency key. */
  readonly command?: {
    readonly id: string
    readonly by: 'id' | 'key'
    /** If-None-Match at the command's own address: the states that the command itself must not have. */
    readonly noneOf?: Guard['noneOf']
  }
  /** Speaks of the deal. */
  readonly guard: Guard
  readonly actor: string | null
  readonly form: FormName
  readonly dryRun: boolean
}

interface OperationAsked {
  readonly action: unknown
  readonly params: unknown
}

/** What the store knows when it decides, true until it has written. */
export interface Facts {
  readonly deal: Deal | undefined
  /** When the deal came into the state before; looked up where a date guards the change. */
  readonly previousAt?: string | null | undefined
  readonly command: Command | undefined
  /** Which of the customers that `customersNamed` lists exist. */
  readonly customers: ReadonlySet<number>
  readonly now: string
  readonly newId: string
  readonly currency: string
}

/** A decided command, as it is kept. */
export interface Command {
  readonly id: string
  readonly deal: string
  readonly action: string
  readonly params: Params
  readonly status: 'applied' | 'rejected'
  readonly refusal: WrongState | null
  readonly revision: number
  readonly decidedAt: string
}

export type Verdict =
  | { readonly kind: 'apply'; readonly deal: Deal; readonly events: readonly DealEvent[]; readonly command?: Command }
  | { readonly kind: 'refuse'; readonly refusal: DealRefusal; readonly command?: Command }
  | { readonly kind: 'replay'; readonly command: Command }

/** The name under which an attribute update is kept as a command. */
export const UPDATE_ACTION = 'UpdateDeal'

/** The pure heart: an intent meets the current deal and the known command. */
export function decideIntent(asked: Intent, known: Facts): Verdict {
  const facts = known.deal === undefined ? known : { ...known, now: notBefore(known.deal.updatedAt, known.now) }
  const content = contentOf(asked, facts)
  if (facts.command !== undefined) return meetKnown(asked, facts.command, content)
  const intent = asked.faultsIfNew === undefined ? asked : { ...asked, faults: [...asked.faults, ...asked.faultsIfNew] }
  const target = findTarget(intent, content.operation, facts)
  if ('refused' in target) return { kind: 'refuse', refusal: target.refused }
  const stale = checkGuard(intent.guard, intent.deal === undefined ? undefined : stateOf(target.deal, facts))
  if (stale !== undefined) return { kind: 'refuse', refusal: stale }
  const decided =
    'attributes' in intent.change
      ? decideAttributes(intent.change.attributes, target.deal, facts)
      : decideOperation(intent.change.action, content, intent, target.deal, facts)
  return conclude(intent, decided, content, target.deal, facts)
}

const stateOf = ({ revision, updatedAt }: Deal, { previousAt = null }: Facts): State => ({
  revision,
  updatedAt,
  previousAt,
})

/** The customers that an intent names: the store looks them up before the decision. */
export function customersNamed({ change }: Intent): readonly number[] {
  const named = 'attributes' in change ? change.attributes : change.params
  const id = isObject(named) ? named.customerId : undefined
  return Number.isSafeInteger(id) ? [id as number] : []
}

/** What counts when a command comes again: deal, action and parameters, in one spelling. */
interface Content {
  readonly operation: Operation | undefined
  readonly action: string
  readonly params: Params
  /** The parameters as they were sent, without the id that may stand beside them. */
  readonly sent: unknown
  /** What is wrong with that id. */
  readonly faults: readonly Fault[]
}

function contentOf({ change, deal }: Intent, facts: Facts): Content {
  if ('attributes' in change) {
    const { sent, faults } = withoutId(change.attributes, deal)
    return { operation: undefined, action: UPDATE_ACTION, params: asParams(sent), sent, faults }
  }
  const operation = operationNamed(change.action)
  const { sent, faults } = spelledOut(change, operation, deal, facts)
  const action = operation?.words.action ?? textOf(change.action)
  return { operation, action, params: operation?.normalize(sent) ?? asParams(sent), sent, faults }
}

/** The parameters without the id that may stand beside them, and with the currency that a setting gives. */
function spelledOut(change: OperationAsked, operation: Operation | undefined, deal: unknown, facts: Facts): Sent {
  const raw = change.params ?? {}
  if (operation?.on !== 'nothing') return withoutId(raw, deal)
  return { sent: isObject(raw) ? { currency: facts.currency, ...raw } : raw, faults: [] }
}

const asParams = (raw: unknown): Params => (isObject(raw) ? (raw as Params) : { value: raw as Json })

/** A command is decided once and stays as it was decided. */
export const commandState = ({ decidedAt }: Command): State => ({ revision: 1, updatedAt: decidedAt })

function meetKnown(intent: Intent, command: Command, content: Content): Verdict {
  const noneOf = intent.command?.noneOf
  const state = commandState(command)
  if (noneOf !== undefined && includesState(noneOf, state)) return { kind: 'refuse', refusal: excluded(state) }
  return replay(intent, command, content)
}

function replay(intent: Intent, known: Command, content: Content): Verdict {
  // A command that made a deal names it when it is shown.
  const creates = content.operation?.on === 'nothing'
  const sameDeal = (creates && intent.deal === undefined) || isSameId(intent.deal, known.deal)
  const same =
    sameDeal &&
    intent.faults.length + content.faults.length === 0 &&
    content.action === known.action &&
    canonicalJson(content.params) === canonicalJson(known.params)
  if (same) return { kind: 'replay', command: known }
  const code = intent.command?.by === 'key' ? 'idempotency-key-reused' : 'command-id-reused'
  return { kind: 'refuse', refusal: { code, command: known.id } }
}

type Target = { readonly deal: Deal } | { readonly refused: DealRefusal }

function findTarget(intent: Intent, operation: Operation | undefined, facts: Facts): Target {
  const creates = operation?.on === 'nothing'
  if (intent.deal === undefined) {
    return creates ? { deal: blankDeal(facts.newId, facts.now, facts.currency) } : { refused: missingDeal(intent) }
  }
  if (facts.deal === undefined) return { refused: { code: 'deal-not-found', deal: textOf(intent.deal) } }
  const { id, deletedAt } = facts.deal
  if (deletedAt !== null && operation?.on !== 'deleted')
    return { refused: { code: 'deal-deleted', deal: id, deletedAt } }
  return { deal: facts.deal }
}

function missingDeal(intent: Intent): DealRefusal {
  if ('action' in intent.change && operationNamed(intent.change.action) === undefined) {
    return unknownAction(intent.change.action, intent)
  }
  return invalidAround(intent, { pointer: intent.pointers.deal, detail: 'is required' })
}

/** A body that is no object lacks every member: it is enough to say so once. */
function invalidAround({ faults }: Intent, missing: Fault): DealRefusal {
  const isObject = faults.every(({ pointer }) => pointer !== '')
  return { code: 'invalid', faults: isObject ? [missing, ...faults] : faults }
}

function unknownAction(action: unknown, intent: Intent): DealRefusal {
  const { action: pointer } = intent.pointers
  if (action === undefined) return invalidAround(intent, { pointer, detail: 'is required' })
  if (typeof action !== 'string') return invalidAround(intent, { pointer, detail: 'must be a string' })
  const near = nearest(action, operationWords)
  const shown = action.length > 64 ? `${action.slice(0, 64)}…` : action
  const detail = `there is no operation ${JSON.stringify(shown)}${near === undefined ? '' : `, did you mean ${near}?`}`
  return { code: 'unknown-action', pointer, detail }
}

function decideOperation(
  action: unknown,
  { operation, sent, faults: around }: Content,
  intent: Intent,
  deal: Deal,
  facts: Facts,
): Decided {
  if (operation === undefined) return { refused: unknownAction(action, intent) }
  const { faults, pointers } = intent
  if (operation.on === 'nothing' && intent.deal !== undefined) {
    const detail = `${operation.words.action} makes a new deal; it is not done to one that exists`
    return { refused: { code: 'unknown-action', pointer: pointers.action, detail } }
  }
  const decision = operation.decide(deal, sent, facts)
  const wrong = 'faults' in decision ? [...around, ...decision.faults] : around
  if (wrong.length > 0 || faults.length > 0) {
    const inside = wrong.map((each) => ({ ...each, pointer: pointers.params + each.pointer }))
    return { refused: { code: 'invalid', faults: [...faults, ...inside] } }
  }
  if ('notAllowed' in decision) return { refused: wrongState(operation, decision.notAllowed, deal, facts.now) }
  if ('faults' in decision) throw new Error('a decision with faults was taken for one without')
  return { deal: decision.deal, steps: [{ operation, ...decision }] }
}

function conclude(intent: Intent, decided: Decided, content: Content, before: Deal, facts: Facts): Verdict {
  const commandId = intent.command?.id ?? null
  const record = (status: 'applied' | 'rejected', refusal: WrongState | null, revision: number) =>
    commandId !== null && {
      command: {
        id: commandId,
        deal: before.id,
        action: content.action,
        params: content.params,
        status,
        refusal,
        revision,
        decidedAt: facts.now,
      },
    }
  if ('refused' in decided) {
    const { refused } = decided
    if (refused.code !== 'wrong-state') return { kind: 'refuse', refusal: refused }
    return { kind: 'refuse', refusal: refused, ...record('rejected', refused, before.revision) }
  }
  const { actor, form } = intent
  const events = decided.steps.map(({ operation, params, deal }) => ({
    operation: operation.name as DealEvent['operation'],
    params,
    deal,
    at: facts.now,
    actor,
    form,
    commandId,
  }))
  return { kind: 'apply', deal: decided.deal, events, ...record('applied', null, decided.deal.revision) }
}

interface Sent {
  readonly sent: unknown
  readonly faults: readonly Fault[]
}

/** `id` may stand beside the parameters when it says the same as the address. */
function withoutId(raw: unknown, id: unknown): Sent {
  if (!isObject(raw) || !Object.hasOwn(raw, 'id')) return { sent: raw, faults: [] }
  const { id: beside, ...sent } = raw
  if (isSameId(beside, id)) return { sent, faults: [] }
  return { sent, faults: [{ pointer: '/id', detail: `is not the addressed deal, ${textOf(id)}` }] }
}

/** What was sent where a text was expected, shown as one; an object's own `toString` is not to be trusted. */
const textOf = (raw: unknown): string => (typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? ''))

/** The id to look up; nothing when what was sent cannot be the id of any deal. */
export function dealSought({ deal }: Intent): string | undefined {
  const id = lowerUuid(deal)
  return isUuid(id) ? id : undefined
}
