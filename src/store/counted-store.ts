import type { Intent } from '../model/intent/intent.ts'
import type { Outcome, Store } from './port/store.ts'

/** Called once for each decision, not for replays. */
export interface OnDecided {
  /** A change took effect; for an update with several operations, the last one. */
  readonly applied: (resource: string, operation: string) => void
  readonly refused: (code: string) => void
}

/** The store with its decisions counted, for every form and door. */
export function countedStore(store: Store, { applied, refused }: OnDecided): Store {
  const count = (outcome: Outcome, { resource, dryRun }: Intent, isKept: boolean): void => {
    if (outcome.replayed) return
    if (outcome.kind === 'refused') refused(outcome.refusal.code)
    else if (isKept && !dryRun && outcome.event !== undefined) applied(resource, outcome.event.operation)
  }
  return {
    ...store,
    async perform(batch) {
      const done = await store.perform(batch)
      for (const [at, outcome] of done.outcomes.entries()) {
        const intent = batch.intents[at]
        if (intent === undefined || intent === 'refused') continue
        if (outcome.kind === 'not-tried' || outcome.kind === 'prepare') continue
        count(outcome, intent, done.isKept)
      }
      return done
    },
  }
}
