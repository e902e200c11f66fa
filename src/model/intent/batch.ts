import type { Refusal } from '../declaration/refusal.ts'
import type { Key } from '../declaration/resource.ts'
import type { Schema } from '../declaration/schema.ts'
import type { Intent } from './intent.ts'
import { type NamedThing, resolveReferences, withThings } from './references.ts'

/**
 * Intents that are decided one after the other and committed together: most often a single one. Plain data, because it
 * crosses threads.
 */
export interface IntentBatch {
  /** An intent that was refused earlier keeps its index. */
  readonly intents: readonly (Intent | 'refused')[]
  /** Whether all take effect or none; otherwise each is decided separately. */
  readonly atomic: boolean
  /**
   * Whether the batch is a dry run: everything is undone after the decision, and each intent sees the effects of
   * earlier ones.
   */
  readonly dryRun: boolean
  /**
   * Whether an intent may name the thing of an earlier one by `$` and its index: as its target, or in a parameter that
   * refers to a thing.
   */
  readonly linked: boolean
}

/** A single intent. */
export const alone = (intent: Intent): IntentBatch => ({
  intents: [intent],
  atomic: false,
  dryRun: intent.dryRun,
  linked: false,
})

/** Whether something written may have to be undone: a single dry run is not even written. */
export const mayBeUndone = ({ intents, atomic, dryRun }: IntentBatch): boolean =>
  atomic || (dryRun && intents.length > 1)

/** An intent that names the thing of a refused one, or was itself refused earlier. */
export interface NotTried {
  readonly kind: 'not-tried'
  /** The index of the refused one. */
  readonly because: number
}

/** An intent with an invalid reference. */
interface RefusedReference {
  readonly kind: 'refused'
  readonly refusal: Refusal
  readonly replayed: false
}

/** The decisions of a batch, in order. */
interface BatchOrder<A> {
  /** Must be called with each intent, in order. */
  readonly decide: (intent: Intent | 'refused') => A | NotTried | RefusedReference
  /** Whether the applied changes are kept. */
  readonly isKept: () => boolean
}

/** `thingOf` gives the id of the thing that an answer is about; undefined if it is a refusal. */
export function inOrder<A>(
  { intents, atomic, dryRun, linked }: IntentBatch,
  schema: Schema,
  decide: (intent: Intent, index: number) => A,
  thingOf: (answer: A) => Key | undefined,
): BatchOrder<A> {
  const things: (NamedThing | 'refused')[] = []
  return {
    decide(asked) {
      const index = things.push('refused') - 1
      if (asked === 'refused') return { kind: 'not-tried', because: index }
      const thingAt = (place: number) => (place < index ? things[place] : undefined)
      const resolved = linked ? resolveReferences(withThings(asked, thingAt), schema, thingAt) : { intent: asked }
      if ('because' in resolved) return { kind: 'not-tried', because: resolved.because }
      if ('refusal' in resolved) return { kind: 'refused', refusal: resolved.refusal, replayed: false }
      // Changes that are undone as a whole are decided as if they were kept.
      const isWritten = dryRun && intents.length > 1
      const answer = decide(isWritten ? { ...resolved.intent, dryRun: false } : resolved.intent, index)
      const id = thingOf(answer)
      if (id !== undefined) things[index] = { resource: asked.resource, id }
      return answer
    },
    isKept: () => !dryRun && !(atomic && things.includes('refused')),
  }
}
