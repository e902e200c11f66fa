import type { AppliedVerdict, Intent } from '../intent/intent.ts'
import { commandOf } from './command.ts'
import { isRemoved } from './consequences.ts'
import { type Change, formerly } from './step.ts'

/** The events of the change and, under a command id, the command. */
export function events(change: Change): AppliedVerdict {
  const { content, facts, after: thing, steps, creation } = change
  const { actor, key, importId, form, command } = content.intent
  const commandId = command?.id ?? null
  return {
    kind: 'apply',
    thing,
    removed: isRemoved(change),
    made: creation !== undefined,
    events: steps.map((step) => ({ ...step, at: facts.now, actor, key, importId, form, commandId })),
    entails: steps.length === 0 ? [] : entailedBy(change),
    ...commandOf(change, { status: 'applied', refusal: null, revision: thing.revision }, thing),
  }
}

/** By the same actor, in the same form. A consequence is asked for no right of its own. */
function entailedBy(change: Change): readonly Intent[] {
  const { intent, resource } = change.content
  const { pointers, form, dryRun, actor, key } = intent
  const changes = resource.entails?.(formerly(change), change.after, resource.schema) ?? []
  return changes.map(({ id, operation, params }) => ({
    ...{ resource: resource.name, target: id, change: { action: operation, params } },
    ...{ pointers, faults: [], guard: { required: false }, form, dryRun, actor },
    ...(key !== undefined && { key }),
  }))
}
