/** The most bytes that the texts of all answers under way may have. The process needs a few times as much memory. */
const MOST_HELD = 96 * 2 ** 20

/** The memory that answers under way hold together. */
export interface HeldAnswers {
  /** In bytes. */
  readonly held: number
  /** Reserves bytes until `free`; false if they do not fit. */
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
