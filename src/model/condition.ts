/** A rule that a thing meets or not, and the sentence that says why not. */
export interface Condition<T> {
  readonly meets: (thing: T, now: string) => boolean
  readonly reason: (thing: T) => string
}

/** The first rule that the thing does not meet, in words. */
export function whyNot<T>(conditions: readonly Condition<T>[], thing: T, now: string): string | undefined {
  return conditions.find((condition) => !condition.meets(thing, now))?.reason(thing)
}
