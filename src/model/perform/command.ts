import { isObject } from '../../values/json/is-object.ts'
import type { Params } from '../declaration/operation.ts'
import { isStateRefusal, type Refusal } from '../declaration/refusal.ts'
import type { Thing } from '../declaration/resource.ts'
import { privateTo } from '../intent/caller.ts'
import type { Command, Verdict } from '../intent/intent.ts'
import { type Aim, refuse } from './step.ts'

/** A refusal because of the thing's state is stored under the command id, and repeated. */
export const refuseState = (aim: Aim, refusal: Refusal): Verdict =>
  isStateRefusal(refusal)
    ? { kind: 'refuse', refusal, ...commandOf(aim, { status: 'rejected', refusal, revision: aim.before.revision }) }
    : refuse(refusal)

/** The command to store, under a command id. */
export function commandOf(
  { content, facts, before, creation }: Aim,
  decided: Pick<Command, 'status' | 'refusal' | 'revision'>,
  after: Thing = before,
): { readonly command?: Command } {
  const { intent, resource, action, params } = content
  const { command, target } = intent
  if (command === undefined) return {}
  return {
    command: {
      ...decided,
      id: command.id,
      resource: intent.resource,
      subject: before.id,
      action,
      params: params(),
      decidedAt: facts.now,
      named: isObject(target) ? { by: target as Params, made: creation !== undefined } : null,
      privateTo: privateTo(resource, after),
      sentAs: command.sentAs ?? null,
    },
  }
}
