import { checkGuard, excluded, includesState, type State } from '../../values/guard.ts'
import { canonicalJson } from '../../values/json/canonical.ts'
import { isSameId } from '../../values/kinds/uuid.ts'
import { isObject } from '../../values/members.ts'
import type { Params } from '../operation.ts'
import { type InUse, isStateRefusal, type StateRefusal } from '../refusal.ts'
import type { Thing } from '../resource.ts'
import { type CommandContent, contentOf, findTarget } from './content.ts'
import { type ChangeDecision, decideChange } from './decide-change.ts'
import { entryRefusal } from './entry.ts'
import type { Command, DecisionFacts, Intent, Verdict } from './intent.ts'
import { isOneOf, privateTo } from './privacy.ts'
import { isUpsert, takenValue, unnamed, withNamedValue } from './unique-values.ts'
import { decideUpsert } from './upsert.ts'

/**
 * Decides an intent. Pure: the current thing and the known command are arguments.
 * Known command → target → guard → parameters → state → conclusion.
 */
export function decideIntent(asked: Intent, known: DecisionFacts): Verdict {
  const { thing, resource } = known
  const intent = withNamedValue(asked, resource)
  // The clock may have been set back.
  const facts = thing !== undefined && thing.updatedAt > known.now ? { ...known, now: thing.updatedAt } : known
  const content = contentOf(intent, facts)
  if (facts.command !== undefined) return meetKnown(content, facts.command, facts)
  const building = unnamed(intent, resource)
  if (building !== undefined) return { kind: 'refuse', refusal: building }
  if (isUpsert(intent)) return decideUpsert(content, facts, conclude)
  const target = findTarget(content, facts)
  if ('refused' in target) return { kind: 'refuse', refusal: target.refused }
  const stale = checkGuard(intent.guard, intent.target === undefined ? undefined : stateOf(target.thing, facts))
  if (stale !== undefined) return { kind: 'refuse', refusal: stale }
  return conclude(content, decideChange(content, target.thing, facts), target.thing, facts)
}

const stateOf = ({ revision, updatedAt }: Thing, { previousAt = null }: DecisionFacts): State => ({
  revision,
  updatedAt,
  previousAt,
})

/** A decided command never changes, so it has one revision. */
export const commandState = ({ decidedAt }: Command): State => ({ revision: 1, updatedAt: decidedAt })

function meetKnown(content: CommandContent, command: Command, facts: DecisionFacts): Verdict {
  const { intent } = content
  const noneOf = intent.command?.noneOf
  const state = commandState(command)
  if (noneOf !== undefined && includesState(noneOf, state)) return { kind: 'refuse', refusal: excluded(state) }
  const isRepeat = isSentAlike(intent, command) || isSameContent(content, command, facts)
  if (isRepeat && isOneOf(command.privateTo, intent.claimant)) return { kind: 'replay', command }
  const code = intent.command?.by === 'key' ? 'idempotency-key-reused' : 'command-id-reused'
  return { kind: 'refuse', refusal: { code, command: command.id } }
}

/** Whether the same was sent. The model of the moment does not count: it may lack a field, and read others in another way. */
const isSentAlike = ({ resource, target, command, faults }: Intent, known: Command): boolean =>
  resource === known.resource &&
  known.sentAs !== null &&
  command?.sentAs === known.sentAs &&
  faults.length === 0 &&
  (target === undefined || isObject(target) || isSameId(target, known.subject))

function isSameContent(content: CommandContent, known: Command, facts: DecisionFacts): boolean {
  const { intent } = content
  // A shown command that created a thing names it.
  const creates = content.operation?.to === 'nothing'
  const isSameThing =
    intent.resource === known.resource &&
    ((creates && intent.target === undefined) ||
      isSameId(intent.target, known.subject) ||
      isSameName(intent.target, known, facts))
  return (
    isSameThing &&
    intent.faults.length + content.faults.length === 0 &&
    content.action === known.action &&
    canonicalJson(content.params()) === canonicalJson(paramsOf(content, known))
  )
}

/** The value that named the thing, which may have another now; or the one of the thing that was named by its id. */
function isSameName(target: unknown, { named, subject }: Command, { thing }: DecisionFacts): boolean {
  if (!isObject(target)) return false
  return named === null ? thing?.id === subject : canonicalJson(target as Params) === canonicalJson(named.by)
}

/** A command of an earlier release has no value for a parameter that was added since. */
const paramsOf = ({ operation }: CommandContent, { params }: Command): Params => operation?.normalize(params) ?? params

/** By the same caller, in the same form. */
function entailedBy({ intent, resource }: CommandContent, before: Thing, after: Thing): readonly Intent[] {
  const { pointers, form, dryRun, actor, key } = intent
  const changes = resource.entails?.(before.revision === 0 ? undefined : before, after, resource.schema) ?? []
  return changes.map(({ id, operation, params }) => ({
    ...{ resource: resource.name, target: id, change: { action: operation, params } },
    ...{ pointers, faults: [], guard: { required: false }, form, dryRun, actor },
    ...(key !== undefined && { key }),
  }))
}

/** Makes the events of a decision and, under a command id, the command. */
function conclude(
  content: CommandContent,
  decided: ChangeDecision,
  before: Thing,
  facts: DecisionFacts,
  made = false,
): Verdict {
  const { intent } = content
  const named = isObject(intent.target) ? { by: intent.target as Params, made } : null
  const record = (status: Command['status'], refusal: StateRefusal | null, after: Thing) =>
    intent.command !== undefined && {
      command: {
        id: intent.command.id,
        resource: intent.resource,
        subject: before.id,
        action: content.action,
        params: content.params(),
        status,
        refusal,
        revision: after.revision,
        decidedAt: facts.now,
        named,
        privateTo: privateTo(content.resource, after),
        sentAs: intent.command.sentAs ?? null,
      },
    }
  if ('refused' in decided) {
    const { refused } = decided
    if (!isStateRefusal(refused)) return { kind: 'refuse', refusal: refused }
    return { kind: 'refuse', refusal: refused, ...record('rejected', refused, before) }
  }
  const { thing, steps } = decided
  const former = before.revision === 0 ? undefined : before
  const barred = intent.unconditional ? undefined : entryRefusal(content.resource, former, thing, facts.related)
  if (barred !== undefined)
    return { kind: 'refuse', refusal: barred, ...(isStateRefusal(barred) && record('rejected', barred, before)) }
  const taken = takenValue(content.resource, before, thing, facts)
  if (taken !== undefined) return { kind: 'refuse', refusal: taken }
  const removed = steps.some(({ operation }) => operation.removes)
  const usedBy = steps.length === 0 || intent.unconditional ? [] : (facts.breaks?.(thing, removed) ?? [])
  const occupied = steps.find((step) => step.occupied !== undefined)?.occupied
  if (usedBy.length > 0 || occupied !== undefined) {
    const users = usedBy.length > 0 && { usedBy }
    const refusal: InUse = { code: 'in-use', resource: intent.resource, id: before.id, ...occupied, ...users }
    return { kind: 'refuse', refusal, ...(occupied && record('rejected', refusal, before)) }
  }
  const { actor, key, importId, form, command } = intent
  const commandId = command?.id ?? null
  const events = steps.map((step) => ({ ...step, at: facts.now, actor, key, importId, form, commandId }))
  const entails = events.length === 0 ? [] : entailedBy(content, before, thing)
  return { kind: 'apply', thing, removed, made, events, entails, ...record('applied', null, thing) }
}
