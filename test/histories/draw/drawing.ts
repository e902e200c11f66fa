import { pick, type Random } from '../../../src/demo/random.ts'
import type { Resource, Schema } from '../../../src/model/declaration/schema.ts'
import { memberIn } from '../../../src/values/members.ts'
import type { KnownThing, KnownThings } from '../known-things.ts'
import type { Asking, Step } from '../step.ts'

/** What the next step is drawn from. */
export interface Drawing {
  readonly random: Random
  readonly at: number
  readonly schema: Schema
  readonly known: KnownThings
  readonly previous: Step | undefined
  /** What was asked before under an id or a key. */
  readonly repeatable: readonly Asking[]
}

/** A request without its place in the history. */
export type Drawn = Omit<Asking, 'at'>

/** Whether a draw of so many in a hundred succeeds. */
export const chance = ({ random }: Pick<Drawing, 'random'>, percent: number): boolean => random(100) < percent

export const either = <T>({ random }: Pick<Drawing, 'random'>, ...of: readonly T[]): T => pick(of, random)

/** One of several, each with its weight. */
export function weighted<T>(
  { random }: Pick<Drawing, 'random'>,
  of: readonly (readonly [weight: number, each: T])[],
): T {
  let at = random(of.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, each] of of) {
    if (at < weight) return each
    at -= weight
  }
  throw new Error('there is nothing to pick from')
}

/** A thing of a resource, most often one of the latest that are still there; nothing if there was none. */
export function someThing(drawing: Drawing, resource: string): KnownThing | undefined {
  const { known, random } = drawing
  const all = known.of(resource)
  const there = all.filter(({ latest }) => latest !== undefined)
  const among = there.length > 0 && chance(drawing, 95) ? there : all
  if (among.length === 0) return undefined
  return chance(drawing, 70) ? pick(among.slice(-6), random) : pick(among, random)
}

/** A thing that others name, or that something so named is part of; nothing if there is none. */
export function namedThing(drawing: Drawing, resource: string): KnownThing | undefined {
  const named = drawing.known.all.flatMap((each) => namedIn(drawing, each))
  const found = [...named, ...named.flatMap((each) => namedIn(drawing, each))].filter(
    (each) => each.resource === resource,
  )
  return found.length === 0 ? undefined : pick(found, drawing.random)
}

const namedIn = ({ known, schema }: Drawing, { resource, latest }: KnownThing): readonly KnownThing[] =>
  Object.entries(schema.byName.get(resource)?.kinds ?? {}).flatMap(([field, { refersTo }]) =>
    refersTo === undefined ? [] : (known.get(String(memberIn(latest ?? {}, field))) ?? []),
  )

export const resourceOf = ({ schema }: Drawing, name: string): Resource => {
  const found = schema.byName.get(name)
  if (found === undefined) throw new Error(`there is no resource ${name}`)
  return found
}

export const asJson = (body: unknown): Pick<Drawn, 'headers' | 'body'> => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
