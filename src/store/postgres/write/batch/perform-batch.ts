import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { IntentBatch } from '../../../../model/perform/batch.ts'
import type { Intent } from '../../../../model/perform/intent.ts'
import type { Key } from '../../../../model/resource.ts'
import { resourceNamed } from '../../../../model/resources.ts'
import type { Resource } from '../../../../model/schema.ts'
import { isObject } from '../../../../values/members.ts'
import { type BatchOutcome, StoreUnavailable } from '../../../port/store.ts'
import { isNumbered } from '../../../rows/things.ts'
import type { Connections } from '../../connect/connections.ts'
import {
  asUnavailable,
  ConnectionLost,
  isDuplicate,
  isLocked,
  isMissingReference,
  isRepeatable,
  NotConnected,
} from '../../connect/faults.ts'
import { recovered } from '../../connect/recovered.ts'
import type { TurnSettings } from '../../schema/model-in-use.ts'
import { answerer } from '../answers.ts'
import type { BatchedRuns } from '../group-commit.ts'
import { BatchOutdated } from './batch-part.ts'
import { type BatchDecision, tryBatch } from './try-batch.ts'

/** Milliseconds after which a batch is not tried again. */
const LONGEST = 12_000

/** With more intents waiting, further batches are refused and should retry later. */
const MOST_WAITING = 10_000

/** The state of a batch that was tried before. */
export interface TriedBefore {
  readonly run: Connections['together']
  /**
   * For each intent the id of the thing that it may create: that of the previous attempt, so that it waits for its end.
   */
  readonly newIds: readonly Key[]
  /** Decisions by the id of their write, if their fate is unknown. */
  readonly lost: ReadonlyMap<string, BatchDecision>
}

export type PerformBatch = (batch: IntentBatch, before?: TriedBefore) => Promise<BatchOutcome>

/** Takes batches while there is capacity, and lets current ones finish. */
export function takeBatches(perform: PerformBatch): BatchedRuns<IntentBatch, BatchOutcome> {
  const counts = { commits: 0, changes: 0, waiting: 0 }
  let isClosed = false
  let onIdle = (): void => {}

  return {
    counts,
    async run(batch) {
      const size = batch.intents.length
      if (isClosed) throw new StoreUnavailable('the store is closed', 5)
      if (counts.waiting > MOST_WAITING) throw new StoreUnavailable('too many writes are waiting', 1)
      counts.waiting += size
      try {
        const outcome = await perform(batch)
        if (outcome.isKept) counts.commits++
        counts.changes += size
        return outcome
      } finally {
        counts.waiting -= size
        if (counts.waiting === 0) onIdle()
      }
    },
    async close() {
      isClosed = true
      if (counts.waiting === 0) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    },
  }
}

/** Decides and writes a batch in one transaction: again if another writer was faster, so that no client sees it. */
export function batchPerformer(
  connections: Connections,
  settings: () => TurnSettings,
  newIdsFor: (resource: Resource, intents: readonly Intent[]) => Promise<readonly Key[]>,
): PerformBatch {
  const answer = answerer(connections, settings)

  return async (batch, before) => {
    const lost = new Map(before?.lost)
    const run = before?.run ?? connections.together
    const until = performance.now() + LONGEST
    let newIds = before?.newIds ?? (await newIdsIn(batch))
    let isUnderWay = before !== undefined
    for (;;) {
      const writeId = randomUUID()
      let sent: BatchDecision | undefined
      try {
        const onDecided = (decided: BatchDecision): void => {
          sent = decided
        }
        const decided = await run((session) =>
          tryBatch(session, { batch, newIds, writeId, lost, settings: settings(), onDecided }),
        )
        return { isKept: decided.isKept, outcomes: await Promise.all(answer(decided)) }
      } catch (cause) {
        if (cause instanceof ConnectionLost || (cause instanceof NotConnected && isUnderWay)) {
          isUnderWay = true
          await recovered(run, cause)
          if (sent !== undefined && sent.events.length > 0) lost.set(writeId, sent)
        } else if (isDuplicate(cause) || (cause instanceof BatchOutdated && batch.intents.some(isNamed))) {
          // A command was decided elsewhere meanwhile: the next attempt finds it. Or an import took a number, or a thing
          // that a unique value named was removed.
          newIds = await newIdsIn(batch)
        } else if (!isConflict(cause)) throw asUnavailable(cause)
        if (performance.now() > until) throw new StoreUnavailable('too many are changing this at once', 1, cause)
        if (isRepeatable(cause)) await pause(10 + Math.random() * 190)
      }
    }
  }

  /** For each intent the id of the thing that it may create. A dry run takes no numbers, so that none are skipped. */
  async function newIdsIn({ intents, dryRun }: IntentBatch): Promise<readonly Key[]> {
    const ids: Key[] = intents.map((_, index) => Number.MAX_SAFE_INTEGER - index)
    const those = intents.flatMap((intent, index) => (intent === 'refused' ? [] : [{ intent, index }]))
    for (const [name, some] of Map.groupBy(those, ({ intent }) => intent.resource)) {
      const resource = resourceNamed(settings().schema, name)
      if (dryRun && isNumbered(resource)) continue
      const taken = await newIdsFor(
        resource,
        some.map(({ intent }) => ({ ...intent, dryRun })),
      )
      for (const [at, { index }] of some.entries()) ids[index] = taken[at] ?? ''
    }
    return ids
  }
}

/** Whether a unique value names its thing. */
const isNamed = (intent: Intent | 'refused'): boolean => intent !== 'refused' && isObject(intent.target)

/** Whether another change came in between. */
const isConflict = (cause: unknown): boolean =>
  cause instanceof BatchOutdated || isRepeatable(cause) || isLocked(cause) || isMissingReference(cause)
