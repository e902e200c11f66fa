import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Command } from '../../../model/intent/intent.ts'
import type { EventRow } from '../../rows/event.ts'
import type { LeftThings } from '../facts/fact.ts'
import type { StoredThing } from '../facts/stored-thing.ts'
import type { ChangedThing, Decision } from './decision.ts'

/** The decisions since the facts were read: those about one thing are one. */
export class DecidedThings implements LeftThings {
  readonly #decisions: Decision[] = []
  readonly #events: EventRow[] = []
  /** The places of the decisions, by resource and id, once there are several: most often there is one. */
  #places: Map<string, Map<Key, number>> | undefined
  readonly #commands = new Map<string, Command>()

  get decisions(): readonly Decision[] {
    return this.#decisions
  }

  /** In the order of the decisions. */
  get events(): readonly EventRow[] {
    return this.#events
  }

  of(resource: string, id: Key): { readonly thing: Thing | undefined } | undefined {
    const decided = this.#about(resource, id)
    return decided && { thing: stateAfter(decided) }
  }

  all(resource: string): readonly Thing[] {
    return this.#decisions.flatMap((each) => (each.resource.name === resource ? (stateAfter(each) ?? []) : []))
  }

  /** The thing as the next decision about it begins; `stored` if nothing was decided about it. */
  before(resource: string, id: Key, stored: (id: Key) => StoredThing | undefined): StoredThing | undefined {
    const decided = this.#about(resource, id)
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
    for (const each of events) this.#events.push(each)
    for (const { command } of commands) this.#commands.set(command.id, command)
    const id = idOf(decision)
    if (id === undefined || (after === undefined && commands.length === 0)) return
    const place = this.#placeOf(resource.name, id)
    const earlier = place === undefined ? undefined : this.#decisions[place]
    if (place === undefined || earlier === undefined) return this.#append(decision, id)
    this.#decisions[place] = {
      resource,
      before: earlier.before,
      after: after === undefined ? earlier.after : withSince(after, earlier.after),
      events: [...earlier.events, ...events],
      commands: [...earlier.commands, ...commands],
    }
  }

  #append(decision: Decision, id: Key): void {
    const place = this.#decisions.push(decision) - 1
    const [first] = this.#decisions
    if (place === 0 || first === undefined) return
    this.#places ??= new Map([[first.resource.name, new Map([[idOf(first) as Key, 0]])]])
    const { name } = decision.resource
    const those = this.#places.get(name) ?? new Map<Key, number>()
    this.#places.set(name, those.set(id, place))
  }

  #about(resource: string, id: Key): Decision | undefined {
    const place = this.#placeOf(resource, id)
    return place === undefined ? undefined : this.#decisions[place]
  }

  #placeOf(resource: string, id: Key): number | undefined {
    if (this.#places !== undefined) return this.#places.get(resource)?.get(id)
    const [only] = this.#decisions
    return only !== undefined && only.resource.name === resource && idOf(only) === id ? 0 : undefined
  }
}

const idOf = (decision: Decision): Key | undefined => decision.after?.thing.id ?? subjectOf(decision)

/** The id that a thing has, or would have if its creation had not been refused. */
export const subjectOf = ({ before, commands }: Pick<Decision, 'before' | 'commands'>): Key | undefined =>
  before?.thing.id ?? commands[0]?.command.subject

function stateAfter({ before, after }: Decision): Thing | undefined {
  if (after === undefined) return before?.thing
  return after.removed ? undefined : after.thing
}

/** Values that the later change keeps are those of the earlier one. */
const withSince = (later: ChangedThing, earlier: ChangedThing | undefined): ChangedThing => ({
  ...later,
  since: later.since.map((value, at) => (value === undefined ? earlier?.since[at] : value)),
})
