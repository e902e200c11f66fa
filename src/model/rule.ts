/** A rule that a thing meets or not, and the sentence that says why not. */
export interface Rule<T> {
  readonly meets: (thing: T, now: string) => boolean
  readonly reason: (thing: T) => string
}

/** The reason of the first rule that the thing does not meet. */
export function whyNot<T>(rules: readonly Rule<T>[], thing: T, now: string): string | undefined {
  return rules.find((rule) => !rule.meets(thing, now))?.reason(thing)
}
