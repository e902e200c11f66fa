import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { Command, Intent, Verdict } from '../../../model/intent/intent.ts'
import { decideIntent, unprepared } from '../../../model/perform/perform.ts'
import { queryFaults } from '../../../queries/parse/saved-query.ts'
import type { Outcome } from '../../port/store.ts'
import { changeRows, type EventRow, toldSince } from '../../rows/event.ts'
import { sinceAfter } from '../../rows/projection.ts'
import { keptPrevious, storedThing } from '../../rows/things.ts'
import type { TurnSettings } from '../schema/model-in-use.ts'
import type { KnownFacts } from './facts.ts'

/** An intent with everything that stays the same over all attempts. */
export interface IdentifiedIntent {
  readonly intent: Intent
  /**
   * The id of the thing that it may create: the same at each attempt, so that a thing created by a lost attempt is
   * found.
   */
  readonly newId: Key
}

/** A command, with the document if no event contains its result. */
export interface DecidedCommand {
  readonly command: Command
  readonly doc: string | null
}

/** A known command, which returns its first outcome again. */
export interface Replay {
  readonly replay: Command
}

/** The intents on one thing that wait together, in order. */
export interface Turn {
  readonly asked: readonly IdentifiedIntent[]
}

/** The decisions of a turn, whose intents are decided one after the other. */
export interface TurnDecision {
  readonly before: Thing | undefined
  /** Undefined if the thing is unchanged. */
  readonly after: ChangedThing | undefined
  readonly events: readonly EventRow[]
  readonly commands: readonly DecidedCommand[]
  /** In the intents' order; a known command is answered from its event. */
  readonly answers: readonly (Outcome | Replay)[]
}

export interface ChangedThing {
  readonly thing: Thing
  readonly json: string
  readonly removed: boolean
  /** When the state before the last change began: a client may know it, even if both were written together. */
  readonly previousAt: string | null
  /** The values of `sinceColumns`; undefined ones stay as they are. */
  readonly since: ReturnType<typeof sinceAfter>
  /** The changes that follow, decided next. */
  readonly entails?: readonly Intent[]
}

export function decideTurn(
  resource: Resource,
  { asked }: Turn,
  facts: KnownFacts,
  now: string,
  { defaults, opened }: TurnSettings,
): TurnDecision {
  const { schema } = resource
  const decided = new Map<string, Command>()
  const made: DecidedCommand[] = []
  const events: EventRow[] = []
  let { thing, previousAt } = facts
  let after: TurnDecision['after']

  const answers = asked.map(({ intent, newId }) => {
    const known = intent.command && (decided.get(intent.command.id) ?? facts.commands.get(intent.command.id))
    const { exists, related, idBy, heldBy, counts, breaks, people } = facts
    const circumstances = {
      ...{ resource, thing, previousAt, command: known, exists, related, idBy, heldBy, counts, people },
      ...(breaks && { breaks }),
      ...{ queryFaults: queryFaults(schema), now, newId: () => newId, defaults },
    }
    const verdict = decideIntent(intent, circumstances)
    if (verdict.kind === 'replay') return { replay: verdict.command }
    if (verdict.kind === 'prepare') throw unprepared(intent)
    const rows = verdict.kind === 'apply' ? changeRows(verdict, toldSince(opened, thing)) : []
    if (!intent.dryRun) {
      const { command } = verdict
      if (command !== undefined) {
        decided.set(command.id, command)
        const tellsNothing = verdict.kind === 'apply' && rows.length === 0
        made.push({ command, doc: tellsNothing ? resource.toJson(verdict.thing) : null })
      }
      events.push(...rows)
      const json = rows.at(-1)?.stored.doc
      if (verdict.kind === 'apply' && json !== undefined) {
        previousAt = thing === undefined ? null : keptPrevious(thing, verdict.thing)
        const since = sinceAfter(
          resource,
          facts.thing,
          events.map(({ event }) => event),
        )
        const { removed, entails } = verdict
        after = { thing: verdict.thing, json, removed, previousAt, since, entails }
        thing = verdict.removed ? undefined : verdict.thing
      }
    }
    return outcomeOf(resource, verdict, rows)
  })
  return { before: facts.thing, after, events, commands: made, answers }
}

function outcomeOf(
  resource: Resource,
  verdict: Exclude<Verdict, { readonly kind: 'replay' | 'prepare' }>,
  rows: readonly EventRow[],
): Outcome {
  if (verdict.kind === 'refuse') return { kind: 'refused', refusal: verdict.refusal, replayed: false }
  const { thing, removed, made, command } = verdict
  const event = rows.at(-1)?.stored
  const json = event === undefined || removed ? resource.toJson(thing) : event.doc
  return { kind: 'applied', thing: storedThing(resource, thing, json), removed, made, event, command, replayed: false }
}
