import type { Key, Thing } from '../../../model/declaration/resource.ts'
import type { Resource } from '../../../model/declaration/schema.ts'
import type { Intent } from '../../../model/intent/intent.ts'
import type { Work } from '../work.ts'
import type { FactReader } from './stored-thing.ts'

/** An intent, and the id of its thing: undefined if it creates one, or names none. */
export interface Concerned {
  readonly intent: Intent
  readonly resource: Resource
  readonly target: Key | undefined
}

/** Things as the decisions have left them since the facts were read. */
export interface LeftThings {
  /** Undefined if nothing was decided about it. */
  of(resource: string, id: Key): { readonly thing: Thing | undefined } | undefined
  /** The decided things of a resource that are there. */
  all(resource: string): readonly Thing[]
}

/** Runs work between two questions of a decision. */
export type RunNow = <T>(work: Work<T>) => T

/** The part of a fact that the decision about an intent gets. */
type Told<T> = (about: Concerned, left: LeftThings) => T

/** A fact that decisions have to know from the store, besides the thing and the known command. decisions/0071 */
export interface Fact<N extends string, T> {
  readonly name: N
  /** Before the decisions about some intents, with other facts, in one round trip. */
  readAhead(by: FactReader, asked: readonly Concerned[]): Work<Told<T>>
  /** When a decision asks: where a statement costs no round trip, nothing is read for nothing. */
  readWhenAsked(by: FactReader, now: RunNow): Told<T>
}

interface FactDeclaration<N extends string, K, V, T> {
  readonly name: N
  /** The keys that the decision about an intent may ask for. */
  wanted(about: Concerned): readonly K[]
  /** The values for some keys. */
  read(by: FactReader, keys: readonly K[]): Work<(key: K) => V>
  /** Reads ahead what depends on facts that are not known yet; by default what is wanted. */
  readonly readAhead?: (by: FactReader, asked: readonly Concerned[]) => Work<(key: K) => V>
  /** The fact as a decision has it, after the earlier ones. */
  tell(ask: (key: K) => V, about: Concerned, left: LeftThings): T
}

/** A member of the decision's facts; operations have the same in `known`. */
export const defineFact = <const N extends string, K, V, T>({
  name,
  wanted,
  read,
  readAhead = (by, asked) => read(by, asked.flatMap(wanted)),
  tell,
}: FactDeclaration<N, K, V, T>): Fact<N, T> => ({
  name,
  *readAhead(by, asked) {
    const ask = yield* readAhead(by, asked)
    return (about, left) => tell(ask, about, left)
  },
  readWhenAsked(by, now) {
    const ask = (key: K): V => now(read(by, [key]))(key)
    return (about, left) => tell(ask, about, left)
  },
})
