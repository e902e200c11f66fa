/** The bytes of the texts that all answers under way may hold: the service has some times as much for them. */
const MOST_HELD = 96 * 2 ** 20

/** What the answers under way hold in memory together. */
export interface HeldAnswers {
  /** In bytes. */
  readonly held: number
  /** Whether so much more is there to be held; it is until it is freed. */
  take(bytes: number): boolean
  free(bytes: number): void
}

export function holdAnswers(most = MOST_HELD): HeldAnswers {
  let held = 0
  return {
    get held() {
      return held
    },
    take(bytes) {
      if (held + bytes > most) return false
      held += bytes
      return true
    },
    free(bytes) {
      held -= bytes
    },
  }
}
