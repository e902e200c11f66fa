import { randomUUID } from 'node:crypto'
import type { Key } from '../../../model/declaration/resource.ts'
import type { Resource, Schema } from '../../../model/declaration/schema.ts'
import type { NotTried } from '../../../model/intent/batch.ts'
import type { Intent } from '../../../model/intent/intent.ts'
import { targetSought } from '../../../model/intent/unique-values.ts'
import { resourceNamed } from '../../../model/schema/resources.ts'
import { type Outcome, StoreUnavailable } from '../../port/store.ts'
import { isNumbered, NO_NUMBER } from '../../rows/things.ts'
import type { BatchDecision, DecidingSettings } from '../../transactions/write/deciding.ts'
import type { Connections } from '../connect/connections.ts'
import { ConnectionLost, isLocked } from '../connect/faults.ts'
import { recovered } from '../connect/recovered.ts'
import { runWork } from '../schema/transaction.ts'
import { answersTo } from './answers.ts'
import type { PerformBatch } from './batch/perform-batch.ts'
import type { RunBatch, TurnName } from './group-commit.ts'
import { newIds } from './new-ids.ts'
import { asBatch, type Turn, type TurnResult, tryTurns, valueNames } from './try-turns.ts'

/**
 * Decides and writes the intents of a batch, which are about things of one resource, in one transaction. Intents that
 * it cannot complete continue alone, and delay no other.
 */
export function performer(
  connections: Connections,
  settings: () => DecidingSettings,
  performBatch: PerformBatch,
): RunBatch<Intent, Outcome> {
  return async (batch) => {
    const by = settings()
    const resource: Resource = resourceNamed(by.schema, batch[0]?.[0]?.resource ?? '')
    const turns = await identified(resource, batch)
    const writeId = randomUUID()
    /** Kept in case their fate is unknown. */
    const decisions = new Map<Turn, BatchDecision>()
    const tried = {
      writeId,
      settings: by,
      onDecided: (turn: Turn, decided: BatchDecision) => void decisions.set(turn, decided),
    }
    let results: readonly TurnResult[] = []
    let lost = false
    try {
      results = await connections.batch((session) => tryTurns(session, resource, turns, tried))
    } catch (cause) {
      lost = cause instanceof ConnectionLost
      if (cause instanceof ConnectionLost) await recovered(connections.transaction, cause)
      else if (cause instanceof StoreUnavailable && !isLocked(cause)) throw cause
    }
    return turns.map((turn, at) => {
      const decided = lost ? decisions.get(turn) : undefined
      const result = results[at]
      if (result !== undefined) return { isOver: true, results: outcomesOf(result) }
      return { isOver: false, results: alone(turn, decided === undefined ? [] : [[writeId, decided]]) }
    })
  }

  /**
   * An id for each thing that may be created: the same at each attempt, so that one created by a lost attempt is found.
   */
  async function identified(resource: Resource, batch: readonly (readonly Intent[])[]): Promise<readonly Turn[]> {
    // A number is taken only for a thing that may really be created.
    const makes = ({ target, dryRun }: Intent): boolean => !isNumbered(resource) || (target === undefined && !dryRun)
    const session = { query: connections.read }
    const ids = (await runWork(session, newIds(resource, batch.flat().filter(makes).length))).values()
    return batch.map((intents) => ({
      intents,
      newIds: intents.map((intent) => (makes(intent) ? (ids.next().value as Key) : NO_NUMBER)),
    }))
  }

  /** Waits for its turn, repeatedly if necessary. */
  async function alone(turn: Turn, lost: readonly (readonly [string, BatchDecision])[]): Promise<readonly Outcome[]> {
    const { outcomes } = await performBatch(asBatch(turn), {
      run: connections.transaction,
      newIds: new Map(turn.newIds.entries()),
      lost: new Map(lost),
    })
    return outcomes.map(requireTried)
  }

  async function outcomesOf(result: NonNullable<TurnResult>): Promise<readonly (Outcome | Promise<Outcome>)[]> {
    if ('defect' in result) throw result.defect
    return answersTo(connections, result.decided).map((each) => (each instanceof Promise ? each : requireTried(each)))
  }
}

function requireTried(outcome: Outcome | NotTried): Outcome {
  if (outcome.kind === 'not-tried') throw new Error('an intent that names no other was not tried')
  return outcome
}

/**
 * Intents on one thing share a turn, and so do copies of one creation. Batches have one resource: an import, which
 * locks the customers, delays no deal.
 */
export function turnOf(intent: Intent, schema: Schema): TurnName {
  const { resource: lane, command } = intent
  const resource: Resource = resourceNamed(schema, lane)
  // No id begins like this.
  const creation = command && `command ${command.id}`
  const once = [...(command ? [command.id] : []), ...valueNames([intent], resource)]
  return { lane, key: targetSought(intent, resource) ?? creation, once }
}
