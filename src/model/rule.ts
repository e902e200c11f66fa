import type { Reason } from '../values/faults/fault.ts'

/** A rule that a thing meets or not, and the reason why not. */
export interface Rule<T> {
  readonly meets: (thing: T, now: string) => boolean
  readonly reason: (thing: T) => Reason
}

/** The reason of the first rule that the thing does not meet. */
export function whyNot<T>(rules: readonly Rule<T>[], thing: T, now: string): Reason | undefined {
  return rules.find((rule) => !rule.meets(thing, now))?.reason(thing)
}
