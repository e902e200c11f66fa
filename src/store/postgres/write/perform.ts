import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { targetSought } from '../../../model/perform/decide-change.ts'
import type { Intent } from '../../../model/perform/intent.ts'
import type { Key } from '../../../model/resource.ts'
import { resourceNamed } from '../../../model/resources.ts'
import type { Resource, Schema } from '../../../model/schema.ts'
import { type Outcome, StoreUnavailable } from '../../port/store.ts'
import type { Connections } from '../connect/connections.ts'
import {
  asUnavailable,
  ConnectionLost,
  isDuplicate,
  isLocked,
  isMissingReference,
  isRepeatable,
  NotConnected,
} from '../connect/faults.ts'
import { recovered } from '../connect/recovered.ts'
import { answerer } from './answers.ts'
import { decideTurn, type Turn, type TurnDecision, type TurnSettings } from './decide.ts'
import type { RunBatch, TurnName } from './group-commit.ts'
import { type Try, type TurnResult, tryTurns } from './try-turns.ts'

const MOST_TRIES = 12
const MOST_REPEATS = 5

/**
 * Decides and writes the intents of a batch, which are about things of one resource, in one transaction. Whatever is
 * not done by it goes on alone, and holds up no other.
 */
export function performer(
  connections: Connections,
  settings: () => TurnSettings,
  newIdsFor: (resource: Resource, intents: readonly Intent[]) => Promise<readonly Key[]>,
): RunBatch<Intent, Outcome> {
  const answer = answerer(connections, settings)

  return async (batch) => {
    const resource: Resource = resourceNamed(settings().schema, batch[0]?.[0]?.resource ?? '')
    const turns = await identified(resource, batch)
    const first = newTry(resource, new Map())
    let results: readonly TurnResult[] = []
    let lost = false
    try {
      results = await connections.batch((session) => tryTurns(session, resource, turns, first))
    } catch (cause) {
      lost = cause instanceof ConnectionLost
      if (cause instanceof ConnectionLost) await recovered(connections.transaction, cause)
      else if (cause instanceof StoreUnavailable && !isLocked(cause)) throw cause
    }
    return turns.map((turn, at) => {
      const decided = lost ? first.decisions.get(turn) : undefined
      const result = results[at]
      const outcome = result ?? alone(resource, turn, new Map(decided && [[first.writeId, decided]]))
      return { isOver: result !== undefined, results: answersTo(outcome) }
    })
  }

  /** An id for each thing that may be made: the same at each try, so that one made by a lost try is found. */
  async function identified(resource: Resource, batch: readonly (readonly Intent[])[]): Promise<readonly Turn[]> {
    const ids = (await newIdsFor(resource, batch.flat())).values()
    return batch.map((intents) => ({
      asked: intents.map((intent) => ({ intent, newId: ids.next().value as Key })),
    }))
  }

  /** A try that keeps what was decided, in case nobody tells what became of it. */
  function newTry(resource: Resource, lost: Try['lost'], waits = false) {
    const decisions = new Map<Turn, TurnDecision>()
    const now = settings()
    const decide: Try['decide'] = (turn, facts) => {
      const decided = decideTurn(resource, turn, facts, new Date().toISOString(), now)
      decisions.set(turn, decided)
      return decided
    }
    return { writeId: randomUUID(), waits, lost, settings: now, decide, decisions }
  }

  /** Waits for its turn, again and again if need be. */
  async function alone(
    resource: Resource,
    first: Turn,
    lost: Map<string, TurnDecision>,
  ): Promise<NonNullable<TurnResult>> {
    let turn = first
    let repeats = 0
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const next = newTry(resource, lost, true)
      try {
        const [result] = await connections.transaction((session) => tryTurns(session, resource, [turn], next))
        if (result !== undefined) return result
      } catch (cause) {
        if (cause instanceof ConnectionLost || cause instanceof NotConnected) {
          await recovered(connections.transaction, cause)
          const decided = next.decisions.get(turn)
          if (decided !== undefined) lost.set(next.writeId, decided)
        } else if (isRepeatable(cause)) {
          if (++repeats > MOST_REPEATS) throw new StoreUnavailable('too many are changing this at once', 1, cause)
          await pause(10 + Math.random() * 190)
        } else if (isDuplicate(cause)) {
          // The command was decided elsewhere meanwhile: the next look finds it. Or an import took the number.
          const [renewed = turn] = await identified(resource, [turn.asked.map(({ intent }) => intent)])
          turn = renewed
        } else if (isMissingReference(cause)) {
          // What it refers to was removed meanwhile, or something refers to it now.
        } else {
          throw asUnavailable(cause)
        }
      }
    }
    throw new StoreUnavailable('too many are changing this at once', 1)
  }

  async function answersTo(
    turn: NonNullable<TurnResult> | Promise<NonNullable<TurnResult>>,
  ): Promise<readonly (Outcome | Promise<Outcome>)[]> {
    const result = await turn
    if ('defect' in result) throw result.defect
    return answer(result.decided)
  }
}

/**
 * Intents on one thing take one turn, so do copies of one creation. Batches are of one resource: an import, which
 * locks the customers, holds up no deal.
 */
export function turnOf(intent: Intent, schema: Schema): TurnName {
  const { resource, command } = intent
  // No id begins like this.
  const creation = command && `command ${command.id}`
  return { lane: resource, key: targetSought(intent, schema) ?? creation, once: command?.id }
}
