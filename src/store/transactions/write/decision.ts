import type { Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { Command, DecisionFacts, Intent, Verdict } from '../../../model/intent/intent.ts'
import { decideIntent, unprepared } from '../../../model/perform/perform.ts'
import type { Outcome } from '../../port/store.ts'
import { changeRows, type EventRow, toldSince } from '../../rows/event.ts'
import { sinceAfter } from '../../rows/projection.ts'
import { keptPrevious, storedThing } from '../../rows/things.ts'
import type { StoredThing } from '../facts/stored-thing.ts'

/** The rows to be written about a thing. */
export interface Decision {
  readonly resource: Resource
  readonly before: StoredThing | undefined
  /** Undefined if the thing is unchanged. */
  readonly after: ChangedThing | undefined
  readonly events: readonly EventRow[]
  readonly commands: readonly DecidedCommand[]
}

export interface ChangedThing {
  readonly thing: Thing
  readonly json: string
  readonly removed: boolean
  /** When the state before the last change began: a client may know it, even if both were written together. */
  readonly previousAt: string | null
  /** The values of `sinceColumns`; undefined ones stay as they are. */
  readonly since: ReturnType<typeof sinceAfter>
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

export interface DecidedIntent {
  readonly decision: Decision
  readonly answer: Outcome | Replay
  /** The changes that follow, decided next. */
  readonly entails: readonly Intent[]
}

/** Decides an intent by its facts; `opened` is the time since which every change is reported by its members. */
export function decide(
  intent: Intent,
  before: StoredThing | undefined,
  facts: DecisionFacts,
  opened: string,
): DecidedIntent {
  const { resource } = facts
  const verdict = decideIntent(intent, facts)
  const nothing: Decision = { resource, before, after: undefined, events: [], commands: [] }
  if (verdict.kind === 'prepare') throw unprepared(intent)
  if (verdict.kind === 'replay') return { decision: nothing, answer: { replay: verdict.command }, entails: [] }
  const events = verdict.kind === 'apply' ? changeRows(verdict, toldSince(opened, before?.thing)) : []
  const answer = outcomeOf(resource, verdict, events)
  if (intent.dryRun) return { decision: nothing, answer, entails: [] }
  const { command } = verdict
  const commands = command === undefined ? [] : [{ command, doc: docOf(resource, verdict, events) }]
  const json = events.at(-1)?.stored.doc
  if (verdict.kind === 'refuse' || json === undefined)
    return { decision: { ...nothing, commands }, answer, entails: [] }
  const { thing, removed, entails } = verdict
  const previousAt = before === undefined ? null : keptPrevious(before.thing, thing)
  const since = sinceAfter(resource, before?.thing, verdict.events)
  return {
    decision: { resource, before, after: { thing, json, removed, previousAt, since }, events, commands },
    answer,
    entails,
  }
}

/** The result of a command that no event tells. */
const docOf = (resource: Resource, verdict: AnyVerdict, events: readonly EventRow[]): string | null =>
  verdict.kind === 'apply' && events.length === 0 ? resource.toJson(verdict.thing) : null

type AnyVerdict = Exclude<Verdict, { readonly kind: 'replay' | 'prepare' }>

function outcomeOf(resource: Resource, verdict: AnyVerdict, rows: readonly EventRow[]): Outcome {
  if (verdict.kind === 'refuse') return { kind: 'refused', refusal: verdict.refusal, replayed: false }
  const { thing, removed, made, command } = verdict
  const event = rows.at(-1)?.stored
  const json = event === undefined || removed ? resource.toJson(thing) : event.doc
  return { kind: 'applied', thing: storedThing(resource, thing, json), removed, made, event, command, replayed: false }
}
