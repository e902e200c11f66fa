/** Bytes of the texts of all answers under way. The process needs a few times as much memory as these texts have. */
const MOST_HELD = 96 * 2 ** 20

/** What the answers under way hold in memory together. */
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
