import { checkGuard, excluded, includesState, type State } from '../../values/guard.ts'
import { canonicalJson } from '../../values/json/canonical.ts'
import { isSameId } from '../../values/kinds/uuid.ts'
import { isStateRefusal, type StateRefusal } from '../refusal.ts'
import type { Thing } from '../resource.ts'
import { type CommandContent, contentOf, findTarget } from './content.ts'
import { type ChangeDecision, decideChange } from './decide-change.ts'
import type { Command, DecisionFacts, Intent, Verdict } from './intent.ts'
import { isOneOf, privateTo } from './privacy.ts'

/**
 * Decides an intent. Pure: the current thing and the known command are arguments.
 * Known command → target → guard → parameters → state → conclusion.
 */
export function decideIntent(intent: Intent, known: DecisionFacts): Verdict {
  const { thing } = known
  // The clock may have been set back.
  const facts = thing !== undefined && thing.updatedAt > known.now ? { ...known, now: thing.updatedAt } : known
  const content = contentOf(intent, facts)
  if (facts.command !== undefined) return meetKnown(content, facts.command)
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

function meetKnown(content: CommandContent, command: Command): Verdict {
  const { intent } = content
  const noneOf = intent.command?.noneOf
  const state = commandState(command)
  if (noneOf !== undefined && includesState(noneOf, state)) return { kind: 'refuse', refusal: excluded(state) }
  if (isOneOf(command.privateTo, intent.claimant) && isSameContent(content, command)) return { kind: 'replay', command }
  const code = intent.command?.by === 'key' ? 'idempotency-key-reused' : 'command-id-reused'
  return { kind: 'refuse', refusal: { code, command: command.id } }
}

function isSameContent(content: CommandContent, known: Command): boolean {
  const { intent } = content
  // A shown command that created a thing names it.
  const creates = content.operation?.to === 'nothing'
  const isSameThing =
    intent.resource === known.resource &&
    ((creates && intent.target === undefined) || isSameId(intent.target, known.subject))
  return (
    isSameThing &&
    intent.faults.length + content.faults.length === 0 &&
    content.action === known.action &&
    canonicalJson(content.params()) === canonicalJson(known.params)
  )
}

/** Makes the events of a decision and, under a command id, the command. */
function conclude(content: CommandContent, decided: ChangeDecision, before: Thing, facts: DecisionFacts): Verdict {
  const { intent } = content
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
        privateTo: privateTo(content.resource, after),
      },
    }
  if ('refused' in decided) {
    const { refused } = decided
    if (!isStateRefusal(refused)) return { kind: 'refuse', refusal: refused }
    return { kind: 'refuse', refusal: refused, ...record('rejected', refused, before) }
  }
  const { thing, steps } = decided
  const { actor, key, form, command } = intent
  const commandId = command?.id ?? null
  const events = steps.map((step) => ({ ...step, at: facts.now, actor, key, form, commandId }))
  const removed = steps.some(({ operation }) => operation.removes)
  return { kind: 'apply', thing, removed, events, ...record('applied', null, thing) }
}
