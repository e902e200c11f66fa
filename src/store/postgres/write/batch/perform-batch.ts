import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { IntentBatch } from '../../../../model/intent/batch.ts'
import type { Durations } from '../../../../monitoring/durations.ts'
import { type BatchOutcome, type Outcome, StoreUnavailable } from '../../../port/store.ts'
import { isNumbered } from '../../../rows/things.ts'
import type { BatchDecision, DecidingSettings } from '../../../transactions/write/deciding.ts'
import { BatchOutdated } from '../../../transactions/write/outdated.ts'
import type { Session } from '../../connect/connection.ts'
import type { Connections } from '../../connect/connections.ts'
import {
  asUnavailable,
  ConnectionLost,
  isDuplicate,
  isDuplicateKey,
  isLocked,
  isMissingReference,
  isRepeatable,
  NotConnected,
} from '../../connect/faults.ts'
import { recovered } from '../../connect/recovered.ts'
import { answersTo } from '../answers.ts'
import type { BatchedRuns } from '../group-commit.ts'
import type { KnownSubjects } from './expected-intents.ts'
import { tryBatch } from './try-batch.ts'

/** Milliseconds after which a batch is not tried again. */
const LONGEST = 12_000

/** Earlier attempts whose facts are compared: a conflict may lead from one to another and back. */
const MOST_KEPT = 4

/** With more intents waiting, further batches are refused and should retry later. */
const MOST_WAITING = 10_000

/** The state of a batch that was tried before. */
export interface TriedBefore {
  readonly run: Connections['together']
  /** The ids of the things that intents may create: those of the previous attempt, so that this one waits for its end. */
  readonly newIds: KnownSubjects['newIds']
  /** Decisions by the id of their write, if their fate is unknown. */
  readonly lost: ReadonlyMap<string, BatchDecision>
}

export type PerformBatch = (batch: IntentBatch, before?: TriedBefore) => Promise<BatchOutcome<Outcome>>

/** Takes batches while there is capacity, and lets current ones finish. */
export function takeBatches(
  perform: PerformBatch,
  durations: Durations,
): BatchedRuns<IntentBatch, BatchOutcome<Outcome>> {
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
      const began = performance.now()
      try {
        const outcome = await perform(batch)
        if (outcome.isKept) {
          counts.commits++
          durations.observe((performance.now() - began) / 1000)
        }
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

/**
 * Decides and writes a batch in one transaction: again if another writer was faster, so that no client sees it. An
 * attempt that would only repeat the one before is a defect. decisions/0066
 */
export function batchPerformer(connections: Connections, settings: () => DecidingSettings): PerformBatch {
  return async (batch, before) => {
    const lost = new Map(before?.lost)
    const run = before?.run ?? connections.together
    const until = performance.now() + LONGEST
    const known: KnownSubjects = { newIds: new Map(before?.newIds), found: new Map() }
    let isUnderWay = before !== undefined
    let earlier: readonly (readonly unknown[])[] = []
    for (;;) {
      const writeId = randomUUID()
      let sent: BatchDecision | undefined
      let facts: unknown[] = []
      try {
        const onDecided = (decided: BatchDecision): void => {
          sent = decided
        }
        const decided = await run((session) => {
          facts = [[...known.newIds], [...known.found]]
          return tryBatch(noting(session, facts), { batch, known, writeId, lost, settings: settings(), onDecided })
        })
        return { isKept: decided.isKept, outcomes: await Promise.all(answersTo(connections, decided)) }
      } catch (cause) {
        if (cause instanceof ConnectionLost || (cause instanceof NotConnected && isUnderWay)) {
          isUnderWay = true
          await recovered(run, cause)
          if (sent !== undefined && sent.events.length > 0) lost.set(writeId, sent)
        } else if (isContradicted(cause)) {
          if (earlier.some((each) => isDeepStrictEqual(facts, each))) throw new ConflictRemains(batch, cause)
          earlier = [facts, ...earlier].slice(0, MOST_KEPT)
          if (cause instanceof BatchOutdated && cause.found) known.found.set(cause.found.index, cause.found.subject)
          // An import took a number.
          const numbered = settings().schema.resources.filter(isNumbered)
          if (numbered.some(({ plural }) => isDuplicateKey(cause, plural))) known.newIds.clear()
        } else if (!isRepeatable(cause) && !isLocked(cause)) throw asUnavailable(cause)
        if (performance.now() > until) throw new StoreUnavailable('too many are changing this at once', 1, cause)
        if (isRepeatable(cause)) await pause(10 + Math.random() * 190)
      }
    }
  }
}

/** Notes what the statements of a session return. */
const noting = ({ query }: Session, facts: unknown[]): Session => ({
  async query(statement, values) {
    const place = facts.push(undefined) - 1
    const rows = await query(statement, values)
    facts[place] = rows
    return rows
  },
})

/** Whether the database was found in another state than the decisions assume: what was read must have changed. */
const isContradicted = (cause: unknown): boolean =>
  cause instanceof BatchOutdated || isDuplicate(cause) || isMissingReference(cause)

/** The same facts were read, and contradict the database again: a defect, whose facts the log needs. */
class ConflictRemains extends Error {
  override readonly name = 'ConflictRemains'
  constructor({ intents }: IntentBatch, cause: unknown) {
    const asked = intents.flatMap((intent) => {
      if (intent === 'refused') return []
      const { resource, target, change, command } = intent
      const action = 'action' in change ? change.action : 'an update'
      return [`${resource} ${JSON.stringify(target)} ${action}${command === undefined ? '' : ` (${command.id})`}`]
    })
    const shown = [...asked.slice(0, MOST_SHOWN), ...(asked.length > MOST_SHOWN ? ['…'] : [])]
    super(`a write is in conflict again, though nothing that it reads has changed: ${shown.join(', ')}`, { cause })
  }
}

/** The intents that the log names. */
const MOST_SHOWN = 20
