import { excluded, includesState, type State } from '../../values/guard.ts'
import { canonicalJson } from '../../values/json/canonical.ts'
import { isObject } from '../../values/json/is-object.ts'
import { isSameId } from '../../values/kinds/uuid.ts'
import type { Params } from '../declaration/operation.ts'
import { isOneOf } from '../intent/caller.ts'
import type { Command, DecisionFacts, Intent, Verdict } from '../intent/intent.ts'
import type { CommandContent } from './content.ts'
import { type Question, refuse } from './step.ts'

/** A known command is answered as before; its id is refused for another content. */
export function known(question: Question): Question | Verdict {
  const { content, facts } = question
  const { command } = facts
  if (command === undefined) return question
  const { intent } = content
  const noneOf = intent.command?.noneOf
  const state = commandState(command)
  if (noneOf !== undefined && includesState(noneOf, state)) return refuse(excluded(state))
  const isRepeat = isSentAlike(intent, command) || isSameContent(content, command, facts)
  if (isRepeat && isOneOf(command.privateTo, intent.caller)) return { kind: 'replay', command }
  const code = intent.command?.by === 'key' ? 'idempotency-key-reused' : 'command-id-reused'
  return refuse({ code, command: command.id })
}

/** A decided command never changes, so it has one revision. */
export const commandState = ({ decidedAt }: Command): State => ({ revision: 1, updatedAt: decidedAt })

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
