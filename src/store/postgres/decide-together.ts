import { type Deal, dealToJson } from '../../model/deal/deal.ts'
import { type Command, decideIntent, type Intent, type Verdict } from '../../model/perform.ts'
import type { Outcome } from '../port/store.ts'
import { type EventRow, eventRow } from '../rows/event.ts'
import { storedDeal } from '../rows/stored.ts'
import type { KnownFacts } from './facts.ts'

/** An intent and what it is to be decided with, however often it is tried. */
export interface Asked {
  readonly intent: Intent
  /** The id of the deal that it may make: the same at each try, so that a deal made by a lost try is found. */
  readonly newId: string
}

/** What intents on one deal come to when they are decided one after the other. */
export interface Decided {
  readonly before: Deal | undefined
  /** Nothing when the deal stays as it is. */
  readonly after: { readonly deal: Deal; readonly json: string } | undefined
  readonly events: readonly EventRow[]
  readonly commands: readonly Command[]
  /** In the intents' order; a known command is to be answered from its event. */
  readonly answers: readonly (Outcome | { readonly replay: Command })[]
}

export function decideTogether(asked: readonly Asked[], facts: KnownFacts, now: string, currency: string): Decided {
  const commands = new Map(facts.commands)
  const made: Command[] = []
  const events: EventRow[] = []
  let { deal, previousAt } = facts
  let after: Decided['after']

  const answers = asked.map(({ intent, newId }) => {
    const known = intent.command && commands.get(intent.command.id)
    const verdict = decideIntent(intent, {
      deal,
      previousAt,
      command: known,
      customers: facts.customers,
      now,
      newId,
      currency,
    })
    if (verdict.kind === 'replay') return { replay: verdict.command }
    const rows = verdict.kind === 'apply' ? rowsOf(verdict) : []
    if (!intent.dryRun) {
      const { command } = verdict
      if (command !== undefined) {
        commands.set(command.id, command)
        made.push(command)
      }
      events.push(...rows)
      const json = rows.at(-1)?.stored.deal
      if (verdict.kind === 'apply' && json !== undefined) {
        previousAt = deal?.updatedAt ?? null
        deal = verdict.deal
        after = { deal, json }
      }
    }
    return outcomeOf(verdict, rows)
  })
  return { before: facts.deal, after, events, commands: made, answers }
}

type Applied = Extract<Verdict, { readonly kind: 'apply' }>

const rowsOf = ({ events }: Applied): readonly EventRow[] =>
  events.map((event) => eventRow(event, dealToJson(event.deal)))

function outcomeOf(verdict: Exclude<Verdict, { readonly kind: 'replay' }>, rows: readonly EventRow[]): Outcome {
  if (verdict.kind === 'refuse') return { kind: 'refused', refusal: verdict.refusal, replayed: false }
  const event = rows.at(-1)?.stored
  const deal = storedDeal(verdict.deal, event?.deal ?? dealToJson(verdict.deal))
  return { kind: 'applied', deal, event, command: verdict.command, replayed: false }
}
