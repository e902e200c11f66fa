import { type Fault, type Reason, within } from '../../values/faults/fault.ts'
import type { Json } from '../../values/json/json.ts'
import { memberAt, memberPointer } from '../../values/members.ts'
import { type Circumstances, valueIn } from '../declaration/operation.ts'
import type { Refusal, WrongState } from '../declaration/refusal.ts'
import type { Thing } from '../declaration/resource.ts'
import type { Operation, Resource } from '../declaration/schema.ts'
import { readAttributes, stepsFrom, unreached } from '../intent/attributes.ts'
import { denial } from '../intent/caller.ts'
import type { DecisionFacts, Intent, Verdict } from '../intent/intent.ts'
import { allowedOperations, isDeletion, operationNamed } from '../schema/resources.ts'
import type { AskedAttributes } from '../source/asked.ts'
import { refuseState } from './command.ts'
import { type CommandContent, unknownAction } from './content.ts'
import { type Aim, type Change, type DecidedStep, refuse } from './step.ts'

/** The thing after its steps, or the refusal. */
type ChangeDecision =
  | { readonly thing: Thing; readonly steps: readonly DecidedStep[] }
  | { readonly refused: Refusal }
  | { readonly prepare: object }

/** The thing after the operations that are asked for, or that lead to the attributes. */
export function change(aim: Aim): Change | Verdict {
  const { content, before, creation = content, facts } = aim
  const decided = decideChange(creation, before, facts)
  if ('refused' in decided) return refuseState(aim, decided.refused)
  if ('prepare' in decided) return { kind: 'prepare', thing: before, known: facts.known, params: decided.prepare }
  const { thing: after, steps } = decided
  // A creation is judged by what it makes, everything else by what there was.
  const judged = before.revision === 0 ? after : before
  for (const { operation } of steps) {
    const refusal = denial(content.intent.caller, content.resource, operation, judged, facts.meets)
    if (refusal !== undefined) return refuse(refusal)
  }
  return { ...aim, after, steps }
}

function decideChange(content: CommandContent, thing: Thing, facts: DecisionFacts): ChangeDecision {
  const { change, unconditional = false } = content.intent
  const { caller, prepared } = content.intent
  const circumstances = { ...facts, ...hiding(content.intent, facts), unconditional, caller, prepared }
  // An id that is the address's says nothing; any other is a fault of its own.
  const attributes = 'attributes' in change && content.faults.length > 0 ? change.attributes : content.sent
  return 'attributes' in change
    ? withFaults(content.intent, decideAttributes(content, { ...change, attributes }, thing, circumstances))
    : decideFurther(change.afterwards, content, decideOperation(content, thing, circumstances), facts)
}

/** A thing that the caller does not see does not exist for them. */
const hiding = ({ unseen = [] }: Intent, { exists }: DecisionFacts): Pick<DecisionFacts, 'exists'> | undefined =>
  unseen.length === 0
    ? undefined
    : { exists: (resource, id, isLinked) => !unseen.includes(`${resource} ${id}`) && exists(resource, id, isLinked) }

/** Adds the faults outside the attributes, and says where the attributes are in the body. */
function withFaults({ faults, pointers }: Intent, decided: ChangeDecision): ChangeDecision {
  const isInvalid = 'refused' in decided && decided.refused.code === 'invalid'
  if (!isInvalid && (faults.length === 0 || 'refused' in decided)) return decided
  const inside = isInvalid && decided.refused.code === 'invalid' ? decided.refused.faults : []
  return { refused: { code: 'invalid', faults: [...faults, ...inside.map((each) => within(pointers.params, each))] } }
}

/** A state that a new thing cannot reach is a fault of the request, not of the state. */
function decideFurther(
  afterwards: AskedAttributes | undefined,
  { resource, intent }: CommandContent,
  made: ChangeDecision,
  facts: DecisionFacts,
): ChangeDecision {
  if (afterwards === undefined || !('thing' in made)) return made
  const decided = decideAttributes({ resource }, afterwards, made.thing, facts)
  if ('thing' in decided) return { thing: decided.thing, steps: [...made.steps, ...decided.steps] }
  if ('prepare' in decided || decided.refused.code !== 'wrong-state') return withFaults(intent, decided)
  const { operation, reason } = decided.refused
  const needs: Fault = { code: 'needs-operation', with: { operation, why: reason }, at: { pointer: '' } }
  return withFaults(intent, { refused: { code: 'invalid', faults: [needs] } })
}

function decideOperation(
  content: CommandContent,
  thing: Thing,
  facts: DecisionFacts & Pick<Circumstances, 'unconditional'>,
): ChangeDecision {
  const { intent, operation, sent, faults: around, persons = [] } = content
  if (operation === undefined) return { refused: unknownAction(content) }
  const { faults, pointers } = intent
  if (operation.on.name !== intent.resource || (operation.to === 'nothing' && intent.target !== undefined)) {
    const facts = { operation: operation.words.action, on: operation.on.name, resource: intent.resource }
    const code = operation.to === 'nothing' ? 'makes-anew' : 'operation-of-other'
    return { refused: { code: 'unknown-action', fault: { code, with: facts, at: { pointer: pointers.action } } } }
  }
  const decision = operation.decide(thing, sent, facts)
  const wrong = [...around, ...('faults' in decision ? decision.faults : []), ...persons]
  if (wrong.length > 0 || faults.length > 0) {
    const inside = wrong.map((each) => within(pointers.params, each))
    return { refused: { code: 'invalid', faults: [...faults, ...inside] } }
  }
  if ('notAllowed' in decision) return { refused: wrongState(operation, decision.notAllowed, thing, facts.now) }
  if ('refused' in decision || 'prepare' in decision) return decision
  if ('faults' in decision) throw new Error('a decision with faults was taken for one without')
  const { instead } = decision
  const done = instead === undefined ? operation : operationNamed(instead, content.resource)
  return conclude([{ ...assignedTo(decision, intent), operation: done ?? operation }], thing, facts)
}

/** With the fields that the service sets. */
function assignedTo<D extends Omit<DecidedStep, 'operation'>>(decision: D, { change }: Intent): D {
  const assigned = 'action' in change ? change.assigned : undefined
  if (assigned === undefined) return decision
  return { ...decision, thing: { ...decision.thing, ...assigned }, params: { ...decision.params, ...assigned } }
}

/** All or nothing; every step is an operation with its own event and revision. */
function decideAttributes(
  { resource, persons = [] }: Pick<CommandContent, 'resource' | 'persons'>,
  { attributes, row = false, ...how }: AskedAttributes,
  current: Thing,
  facts: DecisionFacts & Pick<Circumstances, 'unconditional'>,
): ChangeDecision {
  const read = readAttributes(resource, attributes, current, { ...how, row })
  if ('refused' in read) return read
  const faults = [...read.faults]
  const steps: DecidedStep[] = []
  let thing = current
  let refused: Refusal | undefined
  for (const step of stepsFrom(resource, current, read.wanted, row)) {
    const { operation } = step
    const decision = 'faults' in step ? step : operation.decide(thing, step.params, facts)
    if ('faults' in decision) faults.push(...decision.faults.map((fault) => whereWritten(fault, operation)))
    else if ('refused' in decision) refused ??= decision.refused
    else if ('notAllowed' in decision) refused ??= wrongState(operation, decision.notAllowed, current, facts.now)
    else if ('prepare' in decision) throw new Error(`${operation.words.action} cannot be part of an update`)
    else {
      thing = decision.thing
      steps.push({ operation, ...decision })
    }
  }
  faults.push(...persons)
  if (row && faults.length === 0 && refused === undefined) faults.push(...unreached(resource, thing, read.wanted))
  if (faults.length > 0) return { refused: { code: 'invalid', faults } }
  return refused === undefined ? conclude(steps, current, facts) : { refused }
}

/**
 * Drops steps that change nothing, and refuses to remove a thing that others refer to. Only added fields prevent the
 * deletion of a thing that stays until it is purged.
 */
function conclude(steps: readonly DecidedStep[], before: Thing, { heldBy }: DecisionFacts): ChangeDecision {
  const removing = steps.find(({ operation }) => isDeletion(operation))
  if (removing !== undefined && heldBy.length > 0) {
    return { refused: { code: 'in-use', resource: removing.operation.on.name, id: before.id, heldBy } }
  }
  const real = steps.filter(({ operation, params }) => !operation.differences || Object.keys(params).length > 0)
  return { thing: real.at(-1)?.thing ?? before, steps: real }
}

function whereWritten(fault: Fault, { sets = {} }: Operation): Fault {
  const name = memberAt(fault.at.pointer)
  const field = Object.hasOwn(sets, name) ? sets[name] : undefined
  return field === undefined ? fault : { ...fault, at: { ...fault.at, pointer: memberPointer(field) } }
}

/** The fields that a refusal shows of the thing. */
export const stateFields = (resource: Resource): readonly string[] => [
  'id',
  ...resource.names.filter((name) => isState(resource, name)),
  'revision',
]

function wrongState(operation: Operation, reason: Reason, thing: Thing, now: string): WrongState {
  const { on } = operation
  const shown = stateFields(on).map((name): [string, Json] => [
    name,
    on.kinds[name]?.write(valueIn(thing, name)) ?? null,
  ])
  return {
    code: 'wrong-state',
    resource: on.name,
    operation: operation.name,
    reason,
    thing: Object.fromEntries(shown),
    allowed: allowedOperations(on, thing, now).map(({ name }) => name),
  }
}

/** Whether a marking describes the thing's state. */
const isState = ({ markings, kinds }: Resource, name: string): boolean =>
  markings.includes(name) && ['choice', 'boolean', 'instant'].includes(kinds[name]?.name ?? '')
