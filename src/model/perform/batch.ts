import type { Refusal } from '../refusal.ts'
import type { Key } from '../resource.ts'
import type { Schema } from '../schema.ts'
import type { Intent } from './intent.ts'
import { type NamedThing, resolveReferences } from './references.ts'

/** Intents that are decided one after the other and committed together. Plain data, because it crosses threads. */
export interface IntentBatch {
  /**
   * An intent may name the thing of an earlier one by `$` and its index: as its target, or in a parameter that refers
   * to a thing. One that was refused before it came here keeps its place.
   */
  readonly intents: readonly (Intent | 'refused')[]
  /** Whether all take effect or none; otherwise each for itself. */
  readonly atomic: boolean
  /** Whether everything is undone after the decision. It replaces the `dryRun` of the intents. */
  readonly dryRun: boolean
}

/** An intent that names the thing of a refused one, or was refused itself before it came here. */
export interface NotTried {
  readonly kind: 'not-tried'
  /** The index of the refused one. */
  readonly because: number
}

/** An intent that names what it cannot. */
interface RefusedReference {
  readonly kind: 'refused'
  readonly refusal: Refusal
  readonly replayed: false
}

/** The way through a batch. */
interface BatchOrder<A> {
  /** Must be called with each intent, in their order. */
  readonly decide: (intent: Intent | 'refused') => A | NotTried | RefusedReference
  /** Whether what was applied so far is to be kept. */
  readonly isKept: () => boolean
}

/** `thingOf` gives the id of the thing that an answer is about; undefined if it is a refusal. */
export function inOrder<A>(
  { atomic, dryRun }: Omit<IntentBatch, 'intents'>,
  schema: Schema,
  decide: (intent: Intent, index: number) => A,
  thingOf: (answer: A) => Key | undefined,
): BatchOrder<A> {
  const things: (NamedThing | 'refused')[] = []
  return {
    decide(asked) {
      const index = things.push('refused') - 1
      if (asked === 'refused') return { kind: 'not-tried', because: index }
      const resolved = resolveReferences(asked, schema, (place) => (place < index ? things[place] : undefined))
      if ('because' in resolved) return { kind: 'not-tried', because: resolved.because }
      if ('refusal' in resolved) return { kind: 'refused', refusal: resolved.refusal, replayed: false }
      const answer = decide({ ...resolved.intent, dryRun: false }, index)
      const id = thingOf(answer)
      if (id !== undefined) things[index] = { resource: asked.resource, id }
      return answer
    },
    isKept: () => !dryRun && !(atomic && things.includes('refused')),
  }
}
