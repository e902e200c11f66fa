import type { Key, Thing } from '../../../../model/declaration/resource.ts'
import type { Resource } from '../../../../model/declaration/schema.ts'
import type { Command } from '../../../../model/intent/intent.ts'
import { idAmong } from '../../../../model/intent/unique-values.ts'
import { isDeleted } from '../../../../model/schema/resources.ts'
import type { EventRow } from '../../../rows/event.ts'
import type { TurnDecision } from '../decide.ts'
import type { KnownFacts } from '../facts.ts'
import { subjectOf } from '../thing-rows.ts'

/** Another writer was faster, or a thing is another one than was expected: the batch must be decided again. */
export class BatchOutdated extends Error {
  override readonly name = 'BatchOutdated'
  /** The thing that an intent turned out to be about. */
  readonly found: FoundSubject | undefined
  constructor(found?: FoundSubject) {
    super('a batch was decided by facts that no longer hold')
    this.found = found
  }
}

interface FoundSubject {
  /** The index of the intent. */
  readonly index: number
  /** Undefined for the one that it creates. */
  readonly subject: Key | undefined
}

export type FactsByResource = ReadonlyMap<string, (sought: Key | undefined) => KnownFacts>

/** The decisions since the facts were read. */
export interface BatchPart {
  readonly things: ReadonlyMap<string, TouchedThing>
  readonly events: readonly EventRow[]
  factsOf(resource: Resource, sought: Key | undefined): KnownFacts
  add(resource: Resource, decided: TurnDecision): void
}

export interface TouchedThing {
  readonly resource: Resource
  readonly decided: TurnDecision
}

export function newPart(read: FactsByResource): BatchPart {
  const things = new Map<string, TouchedThing>()
  const commands = new Map<string, Command>()
  const events: EventRow[] = []
  const keyOf = (resource: string, id: Key | undefined): string => `${resource} ${id}`
  const stateOf = ({ decided: { before, after } }: TouchedThing): Thing | undefined =>
    after === undefined ? before : after.removed ? undefined : after.thing
  return {
    things,
    events,
    factsOf({ name }, sought) {
      const stored = read.get(name)?.(sought)
      if (stored === undefined) throw new BatchOutdated()
      const touched = sought === undefined ? undefined : things.get(keyOf(name, sought))
      return {
        thing: touched === undefined ? stored.thing : stateOf(touched),
        previousAt: touched?.decided.after === undefined ? stored.previousAt : touched.decided.after.previousAt,
        commands: { get: (id) => commands.get(id) ?? stored.commands.get(id) },
        exists: (other, id, isLinked) => {
          const known = things.get(keyOf(other, id))
          if (known === undefined) return stored.exists(other, id, isLinked)
          const state = stateOf(known)
          return state !== undefined && !(isLinked && isDeleted(state))
        },
        related: (other, id) => {
          const known = things.get(keyOf(other, id))
          return known === undefined ? stored.related(other, id) : stateOf(known)
        },
        idBy: (field, value) => {
          const ours = [...things.values()].filter(({ resource }) => resource.name === name)
          const touched = idAmong(ours.flatMap((each) => stateOf(each) ?? []))(field, value)
          const id = touched ?? stored.idBy(field, value)
          // A thing that had it, and no longer has, was decided before.
          return touched === undefined && id !== undefined && things.has(keyOf(name, id)) ? undefined : id
        },
        people: stored.people,
        heldBy: stored.heldBy,
        counts: stored.counts,
      }
    },
    add(resource, decided) {
      const id = decided.after?.thing.id ?? subjectOf(decided)
      events.push(...decided.events)
      for (const { command } of decided.commands) commands.set(command.id, command)
      if (id === undefined || (decided.after === undefined && decided.commands.length === 0)) return
      const earlier = things.get(keyOf(resource.name, id))?.decided
      things.set(keyOf(resource.name, id), {
        resource,
        decided: {
          before: earlier === undefined ? decided.before : earlier.before,
          after: decided.after === undefined ? earlier?.after : withSince(decided.after, earlier?.after),
          events: [...(earlier?.events ?? []), ...decided.events],
          commands: [...(earlier?.commands ?? []), ...decided.commands],
          answers: [],
        },
      })
    },
  }
}

type Changed = NonNullable<TurnDecision['after']>

/** Values that the later change keeps are those of the earlier one. */
const withSince = (later: Changed, earlier: Changed | undefined): Changed => ({
  ...later,
  since: later.since.map((value, at) => (value === undefined ? earlier?.since[at] : value)),
})
