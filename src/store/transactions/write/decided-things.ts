import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Command } from '../../../model/intent/intent.ts'
import type { EventRow } from '../../rows/event.ts'
import type { LeftThings } from '../facts/fact.ts'
import type { StoredThing } from '../facts/stored-thing.ts'
import type { ChangedThing, Decision } from './decision.ts'

/** The decisions since the facts were read: those about one thing are one. */
export class DecidedThings implements LeftThings {
  readonly #decisions = new Map<string, Decision>()
  readonly #commands = new Map<string, Command>()
  readonly #events: EventRow[] = []

  get decisions(): readonly Decision[] {
    return [...this.#decisions.values()]
  }

  /** In the order of the decisions. */
  get events(): readonly EventRow[] {
    return this.#events
  }

  of(resource: string, id: Key): { readonly thing: Thing | undefined } | undefined {
    const decided = this.#decisions.get(keyOf(resource, id))
    return decided && { thing: stateAfter(decided) }
  }

  all(resource: string): readonly Thing[] {
    if (this.#decisions.size === 0) return []
    return this.decisions.flatMap((each) => (each.resource.name === resource ? (stateAfter(each) ?? []) : []))
  }

  /** The thing as the next decision about it begins; `stored` if nothing was decided about it. */
  before(resource: string, id: Key, stored: (id: Key) => StoredThing | undefined): StoredThing | undefined {
    const decided = this.#decisions.get(keyOf(resource, id))
    if (decided === undefined) return stored(id)
    const { before, after } = decided
    if (after === undefined) return before
    return after.removed ? undefined : { thing: after.thing, previousAt: after.previousAt }
  }

  command(id: string): Command | undefined {
    return this.#commands.get(id)
  }

  add(decision: Decision): void {
    const { resource, after, events, commands } = decision
    this.#events.push(...events)
    for (const { command } of commands) this.#commands.set(command.id, command)
    const id = after?.thing.id ?? subjectOf(decision)
    if (id === undefined || (after === undefined && commands.length === 0)) return
    const key = keyOf(resource.name, id)
    const earlier = this.#decisions.get(key)
    if (earlier === undefined) return void this.#decisions.set(key, decision)
    this.#decisions.set(key, {
      resource,
      before: earlier.before,
      after: after === undefined ? earlier.after : withSince(after, earlier.after),
      events: [...earlier.events, ...events],
      commands: [...earlier.commands, ...commands],
    })
  }
}

/** The id that a thing has, or would have if its creation had not been refused. */
export const subjectOf = ({ before, commands }: Pick<Decision, 'before' | 'commands'>): Key | undefined =>
  before?.thing.id ?? commands[0]?.command.subject

const keyOf = (resource: string, id: Key): string => `${resource} ${id}`

function stateAfter({ before, after }: Decision): Thing | undefined {
  if (after === undefined) return before?.thing
  return after.removed ? undefined : after.thing
}

/** Values that the later change keeps are those of the earlier one. */
const withSince = (later: ChangedThing, earlier: ChangedThing | undefined): ChangedThing => ({
  ...later,
  since: later.since.map((value, at) => (value === undefined ? earlier?.since[at] : value)),
})
